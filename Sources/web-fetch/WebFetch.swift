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

  @Argument(
    help: "URLs or files; '-' or nothing reads URLs from stdin.", completion: .file())
  var pages: [String] = []
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var fetching: FetchingOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if reading.files == "-", pages.contains("-") {
      throw ValidationError("stdin cannot hold both pages and --files.")
    }
    guard !reading.html || !pages.contains(where: { $0.contains("://") }) else {
      throw ValidationError("--html accepts files and stdin only: read URLs without it.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    var options = FetchOptions(userAgent: session.userAgent)
    reading.apply(to: &options)
    try fetching.apply(to: &options, session)
    let sources = PageSources(
      operands: pages, hasList: reading.files != nil, areDocuments: reading.html)
    if sources.paths.contains(PageSources.input) { session.reportWaiting() }
    // Creating the client takes longer than reading a file, so it is created only if needed.
    let client = sources.fetches || fetching.cookieJar != nil ? try fetching.client() : nil
    try await read(sources.paths, PageReader(options), session)
    if let client {
      try await fetch(sources, PageFetcher(client: client, options: options), session)
      try await fetching.storeCookies(of: client)
    }
    if Task.isCancelled { throw Failure(.interrupted, "interrupted while fetching") }
  }

  private func read(
    _ paths: [String], _ reader: PageReader, _ session: Session
  ) async throws(Failure) {
    guard !paths.isEmpty || reading.files != nil else { return }
    let list = try FileList(
      operands: paths, list: reading.files, isNullSeparated: reading.null,
      interruption: session.interruption, report: session.fail)
    try await reader.readAll { () async throws(Failure) in
      try await list.next()
    } deliver: { (result) async throws(Failure) in
      // After an interruption, the files that were not read are not reported as failures.
      if case .failure(let failure) = result, failure.code == .interrupted { throw failure }
      try session.write(result, reading)
    }
  }

  private func fetch(
    _ sources: PageSources, _ fetcher: PageFetcher, _ session: Session
  ) async throws(Failure) {
    let requests = PageRequests(
      operands: sources.urls, input: sources.readsInput ? session.input() : nil,
      passOn: session.passOn, report: session.fail)
    var progress = BatchProgress()
    try await fetcher.fetchAll { () async throws(Failure) in
      try await requests.next()
    } deliver: { (result) async throws(Failure) in
      try session.write(result.result, reading)
      progress.count(result.result)
      session.diagnostics.progress(progress.text)
    }
  }
}
