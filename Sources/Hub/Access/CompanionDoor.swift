import Core
import Foundation
import NIOCore
import Signing
import Storage

/// Says which companion a request comes from: by its signature, or by the address that it paired from.
///
/// All of this reads or changes the store, and so belongs on the desk's thread for changes.
struct CompanionDoor: Sendable {
  /// A request, as far as it matters who sent it.
  struct Visit: Sendable {
    var message: SignedMessage
    var body: [UInt8]
    /// The other end of the connection.
    var peer: SocketAddress?
    /// Our end of it.
    var local: SocketAddress?
    /// `true` if the host and port that are asked are the hub's own: another one that was asked may have
    /// passed the request on.
    var isForThisHub: Bool

    /// The refusal of what is signed for another host or port.
    var misdirection: String {
      let asked = Visible.line(String(message.authority.prefix(100)))
      let own = local.map { "\($0.plainAddress ?? ""):\($0.port ?? 0)" } ?? ""
      return
        "the request is signed for '\(asked)' and came to '\(own)': if a tunnel or a proxy leads"
        + " here, set 'public_url = \"http://\(asked)\"' under [serve] in config.toml"
    }
  }

  /// A signature is good for so many seconds before and after it was made.
  static let leeway = 300
  /// A nonce is known for so many seconds: longer than a signature with it is good.
  private static let nonceLifetime = 660.0
  private static let longestNonce = 128
  /// When a device was seen last is kept this often, in seconds.
  private static let seenPause = 5.0
  /// An unsigned device pairs again if it was away for so many seconds: its address may be another's by
  /// then.
  private static let longestAbsence = 30.0 * 86_400

  let mode: CompanionAuth
  let store: Store

  /// The companion that sent a request.
  ///
  /// - Returns: The companion; nil where nobody says who they are, and nobody ever paired from there.
  /// - Throws: `AuthExpired` for a signature that is not good, of a kind that tells why, or for none
  ///   where one is needed; `ClockSkew`; `DeviceRevoked`; all of status 401. `StorageFailed`.
  func device(_ visit: Visit, at now: Timestamp = .now) throws(Failure) -> Device? {
    let inputs = visit.message.fields.filter { $0.name.lowercased() == "signature-input" }
    let signatures = visit.message.fields.filter { $0.name.lowercased() == "signature" }
    guard inputs.isEmpty, signatures.isEmpty else {
      guard inputs.count == 1, signatures.count == 1,
        let signature = MessageSignature(input: inputs[0].value, signature: signatures[0].value)
      else { throw Self.refused("the signature cannot be read", .signature) }
      return try device(visit, by: signature, at: now)
    }
    return try device(unsigned: visit, at: now)
  }

  private func device(
    _ visit: Visit, by signature: MessageSignature, at now: Timestamp
  ) throws(Failure) -> Device {
    let second = Int(now.milliseconds / 1000)
    guard let created = signature.created, let nonce = signature.nonce, let id = signature.keyId,
      !nonce.isEmpty, nonce.utf8.count <= Self.longestNonce
    else { throw Self.refused("the signature has no 'created', 'nonce' or 'keyid'", .signature) }
    var needed = ["@method", "@authority", "@path"]
    if visit.message.query != nil { needed.append("@query") }
    if !visit.body.isEmpty { needed.append("content-digest") }
    if let missing = needed.first(where: { !signature.components.contains($0) }) {
      throw Self.refused("the signature does not cover '\(missing)'", .signature)
    }
    guard visit.isForThisHub else {
      throw Self.refused(visit.misdirection, .signature)
    }
    guard let row = try store.base.read({ try $0.companion(id) }),
      signature.isBy(row.key, of: visit.message)
    else { throw Self.refused("the signature is not that of a device here", .signature) }
    guard !row.device.revoked else { throw Self.revoked(row.device) }
    if signature.components.contains("content-digest") || !visit.body.isEmpty {
      let field = visit.message.fields.first { $0.name.lowercased() == "content-digest" }
      guard let field, ContentDigest.matches(field.value, visit.body) else {
        throw Self.refused("the body is not the one that was signed", .signature)
      }
    }
    // Only who has the key is told of the clock.
    guard abs(second.subtractingReportingOverflow(created).partialValue) <= Self.leeway,
      created > 0, signature.expires.map({ $0 >= second }) ?? true
    else {
      throw Self.with401(
        Failure(
          .clockSkew,
          "the signature was made \(abs(second &- created)) seconds away from the hub's clock"))
    }
    let old = now.adding(seconds: -Self.nonceLifetime)
    let result: Result<Device, Failure> = try store.base.write { rows in
      // Another process may have shut it out since it was read.
      guard var row = try rows.companion(id), !row.device.revoked else {
        return .failure(Self.revoked(row.device))
      }
      guard
        try rows.use(
          nonce: nonce, of: id, created: created, at: now, forgettingBefore: old)
      else {
        let until = try rows.forgottenUntil(of: id)
        guard created > until else { return .failure(Self.clockWentBack(until)) }
        return .failure(Self.refused("the request came before", .replayed))
      }
      row.signsSince = row.signsSince ?? now
      row.device.auth = "signed"
      row.device.lastSeenAt = now
      try rows.keep(row)
      return .success(row.device)
    }
    return try result.get()
  }

  private func device(unsigned visit: Visit, at now: Timestamp) throws(Failure) -> Device? {
    let address = visit.peer?.plainAddress ?? ""
    let paired = try store.base.read { try $0.companions() }.filter {
      !address.isEmpty && $0.address == address
    }
    guard mode == .address else {
      throw Self.refused("requests have to be signed here", .unsigned)
    }
    guard let row = paired.first(where: { $0.signsSince == nil }) else {
      guard paired.isEmpty else {
        throw Self.refused("a device that signed once signs all its requests", .unsigned)
      }
      if let gone = try store.base.read({ try $0.revokedCompanion(at: address) }) {
        throw Self.revoked(gone.device)
      }
      return nil
    }
    // Everyone on a machine has its addresses.
    if SocketOwner.isOfThisMachine(peer: visit.peer, local: visit.local),
      !SocketOwner.isOurs(peer: visit.peer, local: visit.local)
    {
      throw Self.refused(
        "another user of this machine asks without a signature, and '\(row.device.name)' has signed"
          + " none yet", .unsigned)
    }
    let absence = row.device.lastSeenAt.map { now.seconds(since: $0) }
    if let absence, absence > Self.longestAbsence {
      throw Self.refused(
        "'\(row.device.name)' does not sign and was away for 30 days: pair it again", .unsigned)
    }
    if let absence, absence < Self.seenPause { return row.device }
    let result: Result<Device, Failure> = try store.base.write { rows in
      // Another process may have shut it out since it was read.
      guard var row = try rows.companion(row.device.id), !row.device.revoked else {
        return .failure(Self.revoked(row.device))
      }
      row.device.lastSeenAt = now
      try rows.keep(row)
      return .success(row.device)
    }
    return try result.get()
  }

  // MARK: Who there is

  /// All companions that are let in.
  ///
  /// - Throws: `StorageFailed`.
  func devices() throws(Failure) -> [Device] {
    try store.base.read { try $0.companions() }.map(\.device)
  }

  /// The companion that completed pairing last and has not disconnected.
  ///
  /// - Throws: `StorageFailed`.
  func connected() throws(Failure) -> Device? { try devices().first { $0.connectedAt != nil } }

  /// Whether a device is let in.
  ///
  /// - Throws: `StorageFailed`.
  func letsIn(_ id: String) throws(Failure) -> Bool {
    try store.base.read { try $0.companion(id).map { !$0.device.revoked } ?? false }
  }

  /// Notes that a companion goes.
  ///
  /// - Throws: `StorageFailed`.
  func disconnect(_ device: Device) throws(Failure) {
    try store.base.write { rows in
      guard var row = try rows.companion(device.id), !row.device.revoked else { return }
      row.device.connectedAt = nil
      try rows.keep(row)
    }
  }

  private static func revoked(_ device: Device) -> Failure {
    with401(.revoked(device.name, id: device.id))
  }

  private static func clockWentBack(_ until: Int) -> Failure {
    let instant = Timestamp(milliseconds: Int64(until) * 1000)
    return refused(
      "the hub's clock was ahead and went back: what is signed up to \(instant.iso8601) is refused;"
        + " pair again, or wait until then", .clockWentBack)
  }

  private static func refused(_ explanation: String, _ kind: FailureKind) -> Failure {
    with401(Failure(.authExpired, explanation, kind: kind))
  }

  private static func with401(_ failure: Failure) -> Failure {
    var failure = failure
    failure.status = 401
    return failure
  }
}
