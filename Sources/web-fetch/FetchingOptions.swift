import ArgumentParser
import Command
import Core
import Fetching
import HTTP

/// How pages are asked for.
struct FetchingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Give a page up after so long; 15 s.", valueName: "time"))
  var timeout: Seconds?
  @Option(help: "Fetch so many pages at once.")
  var parallel = 32
  @Option(help: "Send one host so many requests at once.")
  var perHost = 2
  @Option(
    help: ArgumentHelp(
      "Pause between two requests to a host; 0.2 s.", valueName: "time", visibility: .hidden))
  var delay: Seconds?
  @Option(
    help: ArgumentHelp("Try again so often after a failure that may pass.", visibility: .hidden))
  var retries = 2
  @Flag(help: "Write pages in the order of their URLs.")
  var ordered = false
  @Flag(help: "Keep answers, and use them as HTTP allows.")
  var cache = false
  @Flag(help: "Fetch what robots.txt does not allow, too.")
  var noRobots = false
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp("Send a field: 'Name: value', or @FILE with some.", valueName: "field"))
  var headers: [String] = []
  @Option(
    help: ArgumentHelp("Go by this name to servers.", valueName: "name", visibility: .hidden))
  var userAgent: String?
  @Option(
    help: ArgumentHelp("Keep cookies in this file.", valueName: "file", visibility: .hidden),
    completion: .file())
  var cookieJar: String?
  @Flag(help: "Fetch from private and loopback addresses too.")
  var allowPrivate = false
  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "Fetch from this host though it is private.", valueName: "name", visibility: .hidden))
  var allowedHosts: [String] = []
  @Flag(help: ArgumentHelp("Send the name and password of a URL.", visibility: .hidden))
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
      // What it says may be a secret.
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
    options.note = session.report
    do throws(Failure) {
      options.cache = try ResponseCache(session.directories)
    } catch {
      session.diagnostics.report("going on without the cache: \(error.explanation)")
    }
  }

  /// The client, with the cookies of the jar in it.
  func client() throws(Failure) -> HTTPClient {
    HTTPClient(cookies: try cookieJar.map { (path) throws(Failure) in try CookieJar.read(path) })
  }

  /// Writes the client's cookies to the jar.
  func keepCookies(of client: HTTPClient) async throws(Failure) {
    guard let cookieJar else { return }
    try CookieJar.write(await client.cookies(), to: cookieJar)
  }
}
