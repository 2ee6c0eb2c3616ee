public import Core
import Tokens

/// Says who somebody at the door is: a device with a token, or the operator of this machine.
public struct DoorKeeper: Sendable {
  private let desk: DeviceDesk
  private let ownerDigest: [UInt8]
  private let owner = Visitor(deviceId: nil, name: LoginName.current, scope: .all)

  /// Lets devices in, and whoever has the operator's own token, which is made where there is none.
  ///
  /// - Throws: `PermissionDenied` where others may read the file of that token, `StorageFailed`.
  public init(_ desk: DeviceDesk, _ directories: Directories) throws(Failure) {
    self.desk = desk
    ownerDigest = AccessToken.digest(try OwnerToken.made(in: directories))
  }

  /// Whether the store is read to say who comes with that `Authorization` field.
  public func readsStore(for authorization: String?) -> Bool {
    guard let authorization, let token = AccessToken.bearer(authorization) else { return false }
    return AccessToken.kind(token) != .owner
  }

  /// Who comes with that `Authorization` field; may read the store.
  ///
  /// - Parameters:
  ///   - authorization: The field; nil where there is none.
  ///   - isLocal: Whether it comes over loopback, by the address of the peer.
  ///   - now: The present.
  /// - Returns: The visitor.
  /// - Throws: `AuthExpired` where there is no token or none that is good, `DeviceRevoked`,
  ///   `PermissionDenied` for the operator's own token from another machine, `StorageFailed`.
  public func visitor(
    authorization: String?, isLocal: Bool, at now: Timestamp = .now
  ) throws(Failure) -> Visitor {
    guard let authorization, let token = AccessToken.bearer(authorization) else {
      throw Failure(.authExpired, "a token is needed: register the device with 'pair register'")
    }
    guard AccessToken.kind(token) == .owner else { return try desk.authenticate(token, at: now) }
    guard AccessToken.areEqual(AccessToken.digest(token), ownerDigest) else {
      throw Failure(.authExpired, "the token is not that of this hub's operator")
    }
    guard isLocal else {
      throw Failure(.permissionDenied, "the operator's own token is good on the hub's machine only")
    }
    return owner
  }
}
