import ArgumentParser
import Command
import Core
import Fetching
import HTTP

/// The options that control how pages are requested.
struct FetchingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Time limit for a page; 15 s by default.", valueName: "time"))
  var timeout: Seconds?
  @Option(help: "Fetch this many pages at once.")
  var parallel = 32
  @Option(help: ArgumentHelp("Send one host this many requests at once.", visibility: .hidden))
  var perHost = 2
  @Option(
    help: ArgumentHelp(
      "Pause between requests to a host; 0.2 s by default.", valueName: "time", visibility: .hidden)
  )
  var delay: Seconds?
  @Option(
    help: ArgumentHelp("Retry a temporary failure this many times.", visibility: .hidden))
  var retries = 2
  @Flag(help: "Write pages in the order of their URLs.")
  var ordered = false
  @Flag(help: "Cache responses as HTTP allows.")
  var cache = false
  @Flag(help: "Ignore robots.txt.")
  var noRobots = false
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp("Send a header: 'Name: value', or @FILE for several.", valueName: "field"))
  var headers: [String] = []
  @Option(
    help: ArgumentHelp("The user agent to send.", valueName: "name", visibility: .hidden))
  var userAgent: String?
  @Option(
    help: ArgumentHelp("Store cookies in this file.", valueName: "file", visibility: .hidden),
    completion: .file())
  var cookieJar: String?
  @Flag(help: "Allow private and loopback addresses.")
  var allowPrivate = false
  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "Allow this host, even at a private address.", valueName: "name", visibility: .hidden))
  var allowedHosts: [String] = []
  @Flag(help: ArgumentHelp("Send the user name and password of a URL.", visibility: .hidden))
  var allowUserinfo = false

  func validate() throws {
    for (name, value, least, most) in [
      ("parallel", parallel, 1, 1000), ("per-host", perHost, 1, 1000), ("retries", retries, 0, 10),
    ] where !(least...most).contains(value) {
      throw ValidationError("--\(name) must be between \(least) and \(most).")
    }
    guard userAgent.map(HeaderFile.isValue) ?? true else {
      throw ValidationError("--user-agent must be a line of text.")
    }
    guard allowedHosts.allSatisfy({ HostName.ascii($0) != nil }) else {
      throw ValidationError("--allow-host must be a host's name or address.")
    }
    for text in headers where !text.hasPrefix("@") && HeaderFile.field(text) == nil {
      // The value may be a secret, so the message does not repeat it.
      throw ValidationError("--header must be 'Name: value' or '@FILE'.")
    }
  }

  func apply(to options: inout FetchOptions, _ session: Session) throws(Failure) {
    options.timeoutSeconds = timeout?.value ?? options.timeoutSeconds
    options.parallel = parallel
    options.perHost = perHost
    options.delaySeconds = delay?.value ?? options.delaySeconds
    options.retries = retries
    options.isOrdered = ordered
    options.ignoresRobots = noRobots
    options.allowPrivate = allowPrivate
    options.allowedHosts = Set(allowedHosts.compactMap { HostName.ascii($0) })
    options.allowUserinfo = allowUserinfo
    options.userAgent = userAgent ?? options.userAgent
    try options.add(fields: headers)
    guard cache else { return }
    options.report = session.report
    do throws(Failure) {
      options.cache = try ResponseCache(session.directories)
    } catch {
      session.diagnostics.report("continuing without the cache: \(error.explanation)")
    }
  }

  /// Creates the client, and loads the cookies in the jar.
  func client() throws(Failure) -> HTTPClient {
    HTTPClient(cookies: try cookieJar.map { (path) throws(Failure) in try CookieJar.read(path) })
  }

  /// Writes the cookies of the given client to the jar.
  func storeCookies(of client: HTTPClient) async throws(Failure) {
    guard let cookieJar else { return }
    try CookieJar.write(await client.cookies(), to: cookieJar)
  }
}
