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
  @Option(help: ArgumentHelp("Cut the text there; 0 keeps all.", valueName: "characters"))
  var maxCharacters = 8000
  @Option(help: ArgumentHelp("Give a page up after so long; 15 s.", valueName: "time"))
  var timeout: Seconds?
  @Option(help: "Fetch so many pages at once.")
  var parallel = 32
  @Flag(help: "Fetch from private and loopback addresses too.")
  var allowPrivate = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard maxCharacters >= 0 else {
      throw ValidationError("--max-characters must not be negative.")
    }
    guard (1...1000).contains(parallel) else {
      throw ValidationError("--parallel must be between 1 and 1000.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    var options = FetchOptions(userAgent: session.userAgent)
    options.maximumCharacters = maxCharacters
    options.allowPrivate = allowPrivate
    options.timeoutSeconds = timeout?.value ?? options.timeoutSeconds
    let fetcher = PageFetcher(client: HTTPClient(), options: options)
    let requests = PageRequests(session, fetcher, operands: pages)
    var done = 0
    try await fetcher.fetchAll(parallel: parallel) { () async throws(Failure) in
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
