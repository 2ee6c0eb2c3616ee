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
    fetching.apply(to: &options)
    let fetcher = PageFetcher(client: HTTPClient(), options: options)
    let requests = PageRequests(session, fetcher, operands: pages)
    var done = 0
    try await fetcher.fetchAll(parallel: fetching.parallel) { () async throws(Failure) in
      try await requests.next()
    } deliver: { (result) async throws(Failure) in
      switch result.result {
      case .success(let page): try session.write(page)
      case .failure(let failure): session.fail(failure)
      }
      done += 1
      session.diagnostics.progress("\(done) pages")
    }
    if Task.isCancelled { throw Failure(.interrupted, "interrupted while fetching") }
  }
}
