import Core

/// Where a hub listens.
public struct HubPlace: Sendable, Hashable, CustomStringConvertible {
  /// An address or a name.
  public var host = "127.0.0.1"
  /// The port; 0 for any that is free.
  public var port = 7878

  /// The usual place: 127.0.0.1, port 7878.
  public init() {}

  /// Reads `HOST:PORT`, `[ADDRESS]:PORT`, `HOST` or `:PORT`; nil for anything else.
  public init?(_ text: String) {
    var rest = text[...]
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.lastIndex(of: ":") ?? rest.endIndex
      if end > rest.startIndex { host = String(rest[..<end]) }
      rest = rest[end...]
    }
    guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
    guard !rest.isEmpty else { return }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()) else { return nil }
    self.port = Int(port)
  }

  /// As a URL has it.
  public var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
