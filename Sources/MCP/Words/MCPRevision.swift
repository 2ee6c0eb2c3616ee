/// A revision of the Model Context Protocol.
public struct MCPRevision: RawRepresentable, Sendable, Hashable, Codable {
  /// The revision's date, such as `2025-11-25`.
  public var rawValue: String

  /// Creates a revision from its date.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The revision without a handshake: every request describes the client.
  public static let modern = MCPRevision(rawValue: "2026-07-28")
  /// The revisions that begin with `initialize`, the newest first.
  public static let handshakes = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    .map(MCPRevision.init)

  /// `true` if a connection begins without a handshake.
  public var isModern: Bool { self == .modern }
  /// `true` if this client speaks the revision.
  public var isKnown: Bool { isModern || Self.handshakes.contains(self) }
}
