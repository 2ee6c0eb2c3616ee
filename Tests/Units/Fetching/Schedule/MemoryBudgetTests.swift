import Core
import Reading
import Testing

@testable import Fetching

struct MemoryBudgetTests {
  /// Waits until so many wait in a budget; each of them gets there by itself.
  private func until(_ count: Int, wait budget: MemoryBudget) async {
    while budget.waiting != count { await Task.yield() }
  }

  @Test func `pages that fit are read side by side, the next one waits for room`() async {
    let budget = MemoryBudget(capacity: 100)
    var first: MemoryBudget.Reservation? = await budget.reserve(60)
    let second = await budget.reserve(40)
    let third = Task { await budget.reserve(50) }
    await until(1, wait: budget)
    #expect(budget.used == 100)
    withExtendedLifetime(first) {}
    first = nil
    let reservation = await third.value
    #expect(budget.used == 90)
    withExtendedLifetime((second, reservation)) {}
  }

  @Test func `one alone is read, however large it is`() async {
    let budget = MemoryBudget(capacity: 100)
    var large: MemoryBudget.Reservation? = await budget.reserve(1000)
    let small = Task { await budget.reserve(1) }
    await until(1, wait: budget)
    withExtendedLifetime(large) {}
    large = nil
    let reservation = await small.value
    #expect(budget.used == 1)
    withExtendedLifetime(reservation) {}
  }

  @Test func `a large one that waits is not passed by`() async {
    let budget = MemoryBudget(capacity: 100)
    var first: MemoryBudget.Reservation? = await budget.reserve(60)
    // A task keeps what it gave until it is gone itself.
    var large: Task<MemoryBudget.Reservation, Never>? = Task { await budget.reserve(100) }
    await until(1, wait: budget)
    let small = Task { await budget.reserve(10) }
    await until(2, wait: budget)
    #expect(budget.used == 60)
    withExtendedLifetime(first) {}
    first = nil
    var held = await large?.value
    large = nil
    #expect(budget.used == 100)
    #expect(budget.waiting == 1)
    withExtendedLifetime(held) {}
    held = nil
    let last = await small.value
    #expect(budget.used == 10)
    withExtendedLifetime(last) {}
  }

  @Test func `however many come, no more is kept than there is, and all of them end`() async {
    let budget = MemoryBudget(capacity: 1000)
    let most = await withTaskGroup(of: Int.self) { group in
      for size in 0..<500 {
        group.addTask {
          let reservation = await budget.reserve(1 + size * 7 % 400)
          defer { withExtendedLifetime(reservation) {} }
          await Task.yield()
          return budget.used
        }
      }
      return await group.reduce(0) { max($0, $1) }
    }
    #expect(budget.used == 0)
    #expect(budget.waiting == 0)
    #expect(most <= 1000)
  }

  @Test func `many large pages are read within a budget that holds one`() async throws {
    let server = try PageServer()
    let make = TestFetcher()
    let fetcher = make {
      $0.memoryBytes = 1
      $0.ignoresRobots = true
      $0.reading.maximumCharacters = 10
      $0.perHost = 16
    }
    let body = String(repeating: "a line of a text\n", count: 90_000)
    let urls = (0..<6).map { "/\($0)" }
    for path in urls { server.on(path, fields: ["Content-Type: text/plain"], body: body) }
    let results = await fetcher.fetchAll(urls.map(server.url))
    #expect(results.compactMap { try? $0.result.get().bytes } == urls.map { _ in body.utf8.count })
    #expect(fetcher.reader.memory.used == 0)
  }
}

struct BodyBufferTests {
  @Test(arguments: [0, 1, 3, 900_000, 1_048_576, 1_048_577, 5_000_000])
  func `a body is given back as it came, from memory or from a file`(count: Int) throws {
    var random = SystemRandomNumberGenerator()
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    var buffer = BodyBuffer()
    buffer.reserve(count)
    var at = 0
    while at < count {
      let next = min(count, at + Int.random(in: 1...300_000, using: &random))
      try buffer.append(Array(body[at..<next]))
      at = next
    }
    #expect(buffer.count == count)
    #expect(buffer.start.elementsEqual(body.prefix(4096)) || count < 4096)
    #expect(try buffer.contents() == body)
    #expect(buffer.count == 0)
  }
}
