/// Where a hub listens.
public struct HubAddress: Sendable, Hashable {
  /// An address or a name.
  public var host = "127.0.0.1"
  /// The port; 0 for any that is free.
  public var port = 7878

  /// The usual place: 127.0.0.1, port 7878.
  public init() {}
}
