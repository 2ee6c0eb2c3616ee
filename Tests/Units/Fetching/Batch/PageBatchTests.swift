import Core
import Fetching
import Synchronization
import Testing

struct PageBatchTests {
  private let server: PageServer
  private let fetcher = TestFetcher()

  init() throws { server = try PageServer() }

  @Test func `results keep the order of the URLs and duplicates are fetched once`() async throws {
    for name in ["a", "b", "c"] { server.on("/\(name)", body: name) }
    let urls = ["/b", "/a", "/b", "/missing", "/c"].map(server.url)
    let results = await fetcher().fetchAll(urls)
    #expect(results.map(\.job.url) == ["/b", "/a", "/missing", "/c"].map(server.url))
    #expect(results.map { try? $0.result.get().text } == ["b", "a", nil, "c"])
    // The four and robots.txt.
    #expect(server.requests.count == 5)
  }

  @Test func `a long source is asked only for what is about to be fetched`() async throws {
    server.on("/", body: "x")
    let given = Mutex(0)
    var delivered = 0
    var most = 0
    try await fetcher {
      $0.lookAhead = 8
      $0.parallel = 4
    }.fetchAll { () throws(Failure) -> PageJob? in
      let number = given.withLock { count -> Int in
        count += 1
        return count
      }
      return number > 200 ? nil : PageJob(url: server.url("/?\(number)"), input: "line \(number)")
    } deliver: { (result) throws(Failure) in
      delivered += 1
      most = max(most, given.withLock { $0 } - delivered)
    }
    #expect(delivered == 200)
    #expect(most <= 10)
  }

  @Test func `a job's labels are on its page and its place on its failure`() async throws {
    server.on("/a", body: "x")
    let jobs = Mutex([
      PageJob(url: server.url("/a"), labels: ["k": "v"]), PageJob(url: "nothing", input: "line 2"),
    ])
    var labels: [String: String]?
    var input: String?
    try await fetcher().fetchAll { () throws(Failure) -> PageJob? in
      jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    } deliver: { (result) throws(Failure) in
      switch result.result {
      case .success(let page): labels = page.labels
      case .failure(let failure): input = failure.input
      }
    }
    #expect(labels == ["k": "v"])
    #expect(input == "line 2")
  }

  @Test func `a reader that fails ends the batch with its failure`() async throws {
    server.on("/a", body: "x")
    let failure = Failure(.storageFailed, "the disk is full")
    await #expect(throws: failure) {
      try await fetcher().fetchAll { () throws(Failure) -> PageJob? in
        PageJob(url: server.url("/a?\(Int.random(in: 0..<Int.max))"))
      } deliver: { (result) throws(Failure) in
        throw failure
      }
    }
  }
}
