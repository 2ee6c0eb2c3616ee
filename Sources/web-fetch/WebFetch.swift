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
        web-fetch docs/*.html
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
    let requests = PageRequests(session, fetcher, operands: pages)
    var progress = Progress()
    try await fetcher.fetchAll { () async throws(Failure) in
      guard var job = try await requests.next() else { return nil }
      // A URL that a person typed is a person's visit; a list of them is a crawler's.
      job.obeysRobots = job.input != nil
      return job
    } deliver: { (result) async throws(Failure) in
      switch result.result {
      case .success(let page):
        try session.write(page)
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
}
