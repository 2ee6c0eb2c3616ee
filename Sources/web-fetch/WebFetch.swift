import ArgumentParser
import Command
import Core
import Fetching
import HTTP

@main
struct WebFetch: Tool {
  static let configuration = toolConfiguration(
    "web-fetch", abstract: "Turn URLs into clean text",
    discussion: """
      Examples:
        web-fetch https://example.org/a https://example.org/b | jq -r .markdown
        web-fetch < urls.txt | export-md --into clippings/
        find . -name '*.html' | web-fetch --files -
      """)

  @Argument(help: "URLs or files; '-' or nothing reads URLs from stdin, one a line.")
  var pages: [String] = []
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var fetching: FetchingOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    var options = FetchOptions(userAgent: session.userAgent)
    reading.apply(to: &options)
    try fetching.apply(to: &options, session)
    let client = try fetching.client()
    let fetcher = PageFetcher(client: client, options: options)
    let readsInput = pages == ["-"] || pages.isEmpty && reading.files == nil
    let operands = readsInput ? [] : pages
    try await readFiles(operands.filter { !$0.contains("://") }, fetcher, session)
    let requests = PageRequests(
      session, operands: operands.filter { $0.contains("://") }, readsInput: readsInput)
    var progress = Progress()
    try await fetcher.fetchAll { () async throws(Failure) in
      guard var job = try await requests.next() else { return nil }
      // A URL that a person typed is a person's visit; a list of them is a crawler's.
      job.obeysRobots = job.input != nil
      return job
    } deliver: { (result) async throws(Failure) in
      switch result.result {
      case .success(let page):
        try session.write(page, expanding: reading.expand)
        progress.count(page)
      case .failure(let failure):
        session.fail(failure)
        progress.countFailure()
      }
      session.diagnostics.progress(progress.text)
    }
    try await fetching.keepCookies(of: client)
    if Task.isCancelled { throw Failure(.interrupted, "interrupted while fetching") }
  }

  private func readFiles(
    _ paths: [String], _ fetcher: PageFetcher, _ session: Session
  ) async throws(Failure) {
    guard !paths.isEmpty || reading.files != nil else { return }
    let list = try FileList(
      session, operands: paths, list: reading.files, isNullSeparated: reading.null)
    try await fetcher.readAll { () async throws(Failure) in
      try await list.next()
    } deliver: { (result) async throws(Failure) in
      switch result {
      case .success(let page): try session.write(page, expanding: reading.expand)
      case .failure(let failure):
        guard failure.code != .interrupted else { throw failure }
        session.fail(failure)
      }
    }
  }

  func validate() throws {
    if reading.files == "-", pages.contains("-") {
      throw ValidationError("stdin cannot be both pages and --files.")
    }
  }
}
