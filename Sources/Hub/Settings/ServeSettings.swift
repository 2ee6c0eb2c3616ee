public import Core
import Events

/// What `[serve]` of `config.toml` sets: where a hub listens, what it is called, what it keeps.
public struct ServeSettings: Sendable, Hashable {
  /// Where it listens: an address or a name, and a port.
  public var listen = "127.0.0.1:7878"
  /// The URL that others reach it by.
  public var publicURL: String?
  /// The host that clients reach terminals at.
  public var terminalHost: String?
  /// How companions show who they are.
  public var auth = CompanionAuth.address
  /// So many events are kept at most.
  public var keepEvents = 5_000_000
  /// So many bytes of events are kept at most.
  public var keepBytes = 2 << 30
  /// So many days events are kept at most.
  public var keepDays = 7
  /// Where records are to be seen.
  public var links = WebLinks()

  /// How much of the event log is kept.
  var bounds: EventBounds {
    var bounds = EventBounds()
    (bounds.count, bounds.bytes) = (keepEvents, keepBytes)
    bounds.seconds = Double(keepDays) * 86_400
    return bounds
  }

  /// The usual settings.
  public init() {}

  /// Reads the settings, of which types were judged with the file.
  ///
  /// - Throws: `BadConfiguration` that names the setting.
  public init(_ settings: Settings) throws(Failure) {
    let raw = settings.serve
    if let text = raw["listen"] {
      guard Self.endpoint(text) != nil else {
        throw Self.wrong("listen", "is not an address and port such as '127.0.0.1:7878'")
      }
      listen = text
    }
    if let url = raw["public_url"] {
      guard AccessRule.isURL(url) else {
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
    keepEvents = try Self.count(raw, "keep_events") ?? keepEvents
    keepBytes = try Self.count(raw, "keep_bytes") ?? keepBytes
    keepDays = try Self.count(raw, "keep_days") ?? keepDays
    for kind in WebLinks.Kind.allCases {
      guard let template = raw["\(kind.rawValue)_url"] else { continue }
      guard links.set(template, for: kind) else {
        throw Self.wrong(
          "\(kind.rawValue)_url", "is not an http or https URL with '{id}' after its host")
      }
    }
  }

  /// The address or name, and the port, of a text such as `127.0.0.1:7878` or `[::1]:0`; nil for what
  /// is none.
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

  private static func wrong(_ name: String, _ reason: String) -> Failure {
    Failure(.badConfiguration, "'serve.\(name)' \(reason)", input: "serve.\(name)")
  }
}
