public import Core

/// Who asks a hub for something.
public struct Visitor: Sendable, Hashable {
  /// Tells the visitor's events from those of others; the operator of this machine has none.
  public var deviceId: String?
  /// What the audit calls the visitor.
  public var name: String
  /// What the visitor may do.
  public var scope: DeviceScope

  /// A visitor.
  public init(deviceId: String?, name: String, scope: DeviceScope) {
    (self.deviceId, self.name, self.scope) = (deviceId, name, scope)
  }
}
