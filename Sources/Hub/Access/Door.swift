import Core
import NIOCore
import Storage
import Tokens

/// The access check of a hub.
///
/// It identifies the sender of each request, or refuses the request.
///
/// Look-ups run on the threads for reading, over a connection that does not wait for changes. Only
/// nonces and the times at which companions were seen are written.
struct Door: Sendable {
  /// The senders whose requests a route answers.
  enum Audience: Sendable {
    /// All senders.
    case everybody
    /// Senders on this machine, and senders on other machines that have a token.
    case machine
    /// Devices that have a token of any scope.
    case devices
    /// Devices that have a token of the scope `all`.
    case operators
  }

  /// The header fields that identify the sender of a request and the host it names.
  struct Head: Sendable {
    var hosts: [String]
    var origins: [String]
    var fetchSites: [String]
    var authorization: String?
    var peer: SocketAddress?
  }

  let rule: AccessRule
  let mode: CompanionAuth
  let threads: HubThreads
  /// The store of nonces and of the times at which companions were seen.
  let store: Store
  /// A second connection to the same store, which is used for reading.
  let reading: Store
  private let devices: DeviceDesk
  private let ownerDigest: [UInt8]

  /// Creates the access check of a hub.
  ///
  /// If the owner's token does not exist, it is created.
  ///
  /// - Throws: `PermissionDenied` if others may read the token's file; `StorageFailed` if the token
  ///   cannot be written.
  init(
    _ rule: AccessRule, _ mode: CompanionAuth, _ threads: HubThreads, store: Store, reading: Store,
    ownerIn directories: Directories
  ) throws(Failure) {
    (self.rule, self.mode, self.threads) = (rule, mode, threads)
    (self.store, self.reading, devices) = (store, reading, DeviceDesk(reading))
    ownerDigest = AccessToken.digest(try OwnerToken.made(in: directories))
  }

  /// Checks the given head of a request before the body is read.
  ///
  /// - Returns: The visitor; nil if the sender needs no credentials for this audience.
  /// - Throws: As `AccessRule.judge` and `visitor(by:)`; `PermissionDenied` if the token's scope
  ///   does not cover the audience.
  func visitor(_ head: Head, for audience: Audience) async throws(Failure) -> Visitor? {
    try rule.judge(hosts: head.hosts, origins: head.origins, fetchSites: head.fetchSites)
    let isLocal = head.peer?.isLoopback ?? false
    switch audience {
    case .everybody: return nil
    case .machine where isLocal && head.authorization == nil: return nil
    case .machine, .devices, .operators: break
    }
    let visitor = try await visitor(by: .bearer(head.authorization, isLocal: isLocal))
    if audience != .devices, let visitor, visitor.scope != .all {
      throw Failure(
        .permissionDenied, "the token of '\(Visible.line(visitor.name))' only allows sending events"
      )
    }
    return visitor
  }

  /// Returns the owner or the companion that the given credentials identify.
  ///
  /// The first credential that identifies the owner or a companion decides. If an address is
  /// refused, the next credential is still tried. A registered device's token never identifies a
  /// companion, whatever its scope.
  ///
  /// - Parameters:
  ///   - credentials: The credentials of the request, in the order of precedence.
  ///   - now: The current time.
  /// - Returns: The visitor; nil if the sender is neither.
  /// - Throws: As `visitor(by:)` for a single credential.
  func visitor(
    by credentials: [Credential], at now: Timestamp = .now
  ) async throws(Failure) -> Visitor? {
    var refusal: Failure?
    for credential in credentials {
      do throws(Failure) {
        let visitor = try await visitor(by: credential, at: now)
        if case .bearer = credential, visitor != .owner { continue }
        if let visitor { return visitor }
      } catch {
        guard case .address = credential else { throw error }
        refusal = error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// Returns the visitor that the given credential identifies.
  ///
  /// - Parameters:
  ///   - credential: The credential.
  ///   - now: The current time.
  /// - Returns: The visitor; nil if the address or process is unknown.
  /// - Throws: `AuthExpired` if the token is missing, unknown or expired; `AuthExpired` with a
  ///   `kind` if the signature is invalid or a required signature is missing; `DeviceRevoked` if
  ///   the device is revoked; `ClockSkew` if the signature's time differs too much from the hub's;
  ///   `PermissionDenied` if the owner's token comes from another machine; `Overloaded` if too many
  ///   requests wait; `StorageFailed` if the store cannot be read.
  func visitor(
    by credential: Credential, at now: Timestamp = .now
  ) async throws(Failure) -> Visitor? {
    switch credential {
    case .bearer(let field, let isLocal):
      return try await bearer(field, isLocal: isLocal, at: now)
    case .signature(let message, let body, let ends):
      return .device(try await signer(of: message, body, ends, at: now))
    case .address(let ends):
      return try await device(at: ends, now).map(Visitor.device)
    case .owner(let ends):
      return try await threads.read { [mode] () throws(Failure) -> Visitor? in
        mode == .address && SocketOwner.isOurs(peer: ends.peer, local: ends.local) ? .owner : nil
      }
    }
  }

  private func bearer(
    _ field: String?, isLocal: Bool, at now: Timestamp
  ) async throws(Failure) -> Visitor {
    guard let token = field.flatMap(AccessToken.bearer) else {
      throw Failure(
        .authExpired, "the request has no token: register the device with 'pair register'")
    }
    guard AccessToken.kind(token) == .owner else {
      let device = try await threads.read { [devices] () throws(Failure) in
        try devices.authenticate(token, at: now)
      }
      return .device(device)
    }
    guard AccessToken.areEqual(AccessToken.digest(token), ownerDigest) else {
      throw Failure(.authExpired, "the token is not this hub's operator token")
    }
    guard isLocal else {
      throw Failure(.permissionDenied, "the operator token is only valid on the hub's machine")
    }
    return .owner
  }
}
