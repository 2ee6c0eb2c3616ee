public import Core
import Events

/// The settings of a hub: the table `[serve]` of `config.toml`.
public struct ServeSettings: Sendable, Hashable {
  /// The address or name, and the port, on which the hub listens.
  public var listen = "127.0.0.1:7878"
  /// The address or name, and the port, on which the hub receives OTLP over gRPC; nil for none.
  public var otlpListen: String?
  /// `true` to store texts and addresses that coding agents send in their telemetry.
  public var keepsTelemetryContent = false
  /// The URL by which other machines reach the hub; nil if it is not configured.
  public var publicURL: String?
  /// The host name by which clients reach the terminals of the hub's machine.
  public var terminalHost: String?
  /// The way in which companions authenticate.
  public var auth = CompanionAuth.address
  /// The largest number of events in the log.
  public var keepEvents = 5_000_000
  /// The largest size of the log in bytes.
  public var keepBytes = 2 << 30
  /// The largest age of events in days.
  public var keepDays = 7
  /// `true` to serve the page for browsers.
  public var hasPage = false
  /// The links to pages about records.
  public var links = WebLinks()

  /// The links to pages about records.
  ///
  /// The kinds without a configured link lead to the hub's own page, if browsers can reach it by a
  /// known URL.
  var allLinks: WebLinks {
    hasPage ? publicURL.map(links.withPage) ?? links : links
  }

  /// The limits of the event log.
  var bounds: EventBounds {
    var bounds = EventBounds()
    (bounds.count, bounds.bytes) = (keepEvents, keepBytes)
    bounds.seconds = Double(keepDays) * 86_400
    return bounds
  }

  /// Creates the default settings.
  public init() {}

  /// Reads the settings from the given configuration, whose types were already checked.
  ///
  /// - Throws: `BadConfiguration` if a setting is invalid.
  public init(_ settings: Settings) throws(Failure) {
    let raw = settings.serve
    if let text = raw["listen"] {
      guard Self.endpoint(text) != nil else {
        throw Self.wrong("listen", "is not an address and port such as '127.0.0.1:7878'")
      }
      listen = text
    }
    if let text = raw["otlp_listen"] {
      guard Self.endpoint(text) != nil else {
        throw Self.wrong("otlp_listen", "is not an address and port such as '127.0.0.1:4317'")
      }
      otlpListen = text
    }
    keepsTelemetryContent = try Self.flag(raw, "otlp_content") ?? keepsTelemetryContent
    if let url = raw["public_url"] {
      guard WebOrigin.isURL(url) else {
        throw Self.wrong("public_url", "is not an http or https URL")
      }
      publicURL = url
    }
    if let host = raw["terminal_host"] {
      guard HostPort(host).map({ $0.port == nil }) ?? false else {
        throw Self.wrong("terminal_host", "is not a host name or address")
      }
      terminalHost = host
    }
    if let word = raw["auth"] {
      guard let mode = CompanionAuth(rawValue: word) else {
        throw Self.wrong("auth", "is 'address' or 'strict'")
      }
      auth = mode
    }
    hasPage = try Self.flag(raw, "page") ?? hasPage
    keepEvents = try Self.count(raw, "keep_events") ?? keepEvents
    keepBytes = try Self.count(raw, "keep_bytes") ?? keepBytes
    keepDays = try Self.count(raw, "keep_days") ?? keepDays
    links = try WebLinks(raw)
  }

  /// Parses a text such as `127.0.0.1:7878` or `[::1]:0`; returns nil for any other text.
  ///
  /// The text contains an address or a name, and the port.
  public static func endpoint(_ text: String) -> (host: String, port: Int)? {
    let anyPort = text.hasSuffix(":0")
    guard let read = HostPort(anyPort ? String(text.dropLast()) : text) else { return nil }
    guard let port = anyPort ? 0 : read.port else { return nil }
    return (read.host, port)
  }

  private static func count(_ raw: [String: String], _ name: String) throws(Failure) -> Int? {
    guard let text = raw[name] else { return nil }
    guard let number = Int(text), number > 0 else { throw wrong(name, "must be above 0") }
    return number
  }

  private static func flag(_ raw: [String: String], _ name: String) throws(Failure) -> Bool? {
    guard let word = raw[name] else { return nil }
    guard let wanted = Bool(word) else { throw wrong(name, "is true or false") }
    return wanted
  }

  private static func wrong(_ name: String, _ reason: String) -> Failure {
    Failure(.badConfiguration, "'serve.\(name)' \(reason)", input: "serve.\(name)")
  }
}
