import Core
import NIOCore
import Signing
import Storage

/// The recognition of companions, by their signatures or by the address from which they paired.
extension Door {
  /// The number of seconds by which a signature's creation time may differ from the hub's clock.
  private static let leeway = 300
  /// The number of seconds for which a nonce is stored.
  ///
  /// It exceeds the time for which a signature is valid.
  private static let nonceLifetime = 660.0
  private static let longestNonce = 128
  /// The minimum number of seconds between two updates of a companion's `lastSeenAt`.
  private static let seenPause = 5.0
  /// The number of seconds without requests after which a companion that does not sign must pair
  /// again.
  ///
  /// Another device may have received its address by then.
  private static let longestAbsence = 30.0 * 86_400

  /// Returns the companions that are not revoked, the most recently paired first.
  ///
  /// - Throws: `Overloaded` if too many requests wait; `StorageFailed` if the store cannot be read.
  func companions() async throws(Failure) -> [Device] {
    try await threads.read { [reading] () throws(Failure) in
      try reading.base.read { try $0.companions() }.map(\.device)
    }
  }

  // MARK: Signatures

  /// Returns the companion that signed the given request.
  func signer(
    of message: SignedMessage, _ body: [UInt8], _ ends: Credential.Ends, at now: Timestamp
  ) async throws(Failure) -> Device {
    let inputs = message.fields.filter { $0.name.lowercased() == "signature-input" }
    let signatures = message.fields.filter { $0.name.lowercased() == "signature" }
    guard inputs.count == 1, signatures.count == 1,
      let signature = MessageSignature(input: inputs[0].value, signature: signatures[0].value)
    else { throw Self.refused("the signature cannot be read", .signature) }
    guard let created = signature.created, let nonce = signature.nonce, let id = signature.keyId,
      !nonce.isEmpty, nonce.utf8.count <= Self.longestNonce
    else { throw Self.refused("the signature has no 'created', 'nonce' or 'keyid'", .signature) }
    var needed = ["@method", "@authority", "@path"]
    if message.query != nil { needed.append("@query") }
    if !body.isEmpty { needed.append("content-digest") }
    if let missing = needed.first(where: { !signature.components.contains($0) }) {
      throw Self.refused("the signature does not cover '\(missing)'", .signature)
    }
    guard rule.isOwn(message.authority, on: ends.local, isSecure: ends.isSecure) else {
      throw Self.refused(Self.misdirection(message.authority, ends.local), .signature)
    }
    let device = try await threads.read { [reading] () throws(Failure) in
      guard let row = try reading.base.read({ try $0.companion(id) }),
        try signature.isBy(row.key, of: message)
      else { throw Self.refused("the signature is not from a paired device", .signature) }
      guard !row.device.revoked else { throw Self.revoked(row.device) }
      try Self.judge(signature, created, message, body: body, at: now)
      return row.device
    }
    return try await update(device) { (row, rows) throws(Failure) in
      let old = now.adding(seconds: -Self.nonceLifetime)
      guard
        try rows.use(nonce: nonce, of: id, created: created, at: now, forgettingBefore: old)
      else {
        let until = try rows.forgottenUntil(of: id)
        return created > until
          ? Self.refused("the request was already received", .replayed) : Self.clockWentBack(until)
      }
      row.signsSince = row.signsSince ?? now
      (row.device.auth, row.device.lastSeenAt) = ("signed", now)
      return nil
    }
  }

  /// Checks the body and the creation time of a request with a valid signature.
  private static func judge(
    _ signature: MessageSignature, _ created: Int, _ message: SignedMessage, body: [UInt8],
    at now: Timestamp
  ) throws(Failure) {
    if signature.components.contains("content-digest") || !body.isEmpty {
      let field = message.fields.first { $0.name.lowercased() == "content-digest" }
      guard let field, try ContentDigest.matches(field.value, body) else {
        throw refused("the body does not match the signature", .signature)
      }
    }
    // Only the holder of the key is told about a clock difference.
    let second = Int(now.milliseconds / 1000)
    guard abs(second.subtractingReportingOverflow(created).partialValue) <= leeway,
      created > 0, signature.expires.map({ $0 >= second }) ?? true
    else {
      throw with401(
        Failure(
          .clockSkew,
          "the signature time differs from the hub's clock by \(abs(second &- created)) seconds"))
    }
  }

  // MARK: Addresses

  /// Returns the companion that paired from the peer's address and does not sign its requests.
  func device(at ends: Credential.Ends, _ now: Timestamp) async throws(Failure) -> Device? {
    guard mode == .address else {
      throw Self.refused("requests to this hub must be signed", .unsigned)
    }
    let address = ends.peer?.plainAddress ?? ""
    let known = try await threads.read { [reading] () throws(Failure) in
      let device = try reading.base.read { try Self.unsigned(at: address, in: $0) }
      if let device { try Self.judge(device, ends, at: now) }
      return device
    }
    guard let device = known else { return nil }
    if let seen = device.lastSeenAt, now.seconds(since: seen) < Self.seenPause { return device }
    return try await update(device) { (row, _) throws(Failure) in
      row.device.lastSeenAt = now
      return nil
    }
  }

  private static func unsigned(at address: String, in rows: any Rows) throws(Failure) -> Device? {
    let paired = try rows.companions().filter { !address.isEmpty && $0.address == address }
    if let row = paired.first(where: { $0.signsSince == nil }) { return row.device }
    guard paired.isEmpty else {
      throw refused(
        "the request is not signed, but the device at this address signs its requests", .unsigned)
    }
    if let gone = try rows.revokedCompanion(at: address) { throw revoked(gone.device) }
    return nil
  }

  private static func judge(
    _ device: Device, _ ends: Credential.Ends, at now: Timestamp
  ) throws(Failure) {
    // All users of a machine share its addresses.
    if SocketOwner.isForeign(peer: ends.peer, local: ends.local) {
      throw refused(
        "the request is not signed and comes from another user of this machine:"
          + " '\(device.name)' must sign", .unsigned)
    }
    if let seen = device.lastSeenAt, now.seconds(since: seen) > longestAbsence {
      throw refused(
        "'\(device.name)' does not sign requests and was away for 30 days: it must pair again",
        .unsigned
      )
    }
  }

  // MARK: Parts

  /// Changes the given companion in the store, unless it was revoked after it was read.
  ///
  /// - Parameters:
  ///   - device: The companion as it was read.
  ///   - change: Changes the companion. If it returns a refusal, the changes are still stored.
  /// - Returns: The companion.
  /// - Throws: `DeviceRevoked` if the companion was revoked; the refusal; `Overloaded` if too many
  ///   requests wait; `StorageFailed` if the store cannot be written.
  private func update(
    _ device: Device,
    _ change: @escaping @Sendable (inout StoredCompanion, any Rows) throws(Failure) -> Failure?
  ) async throws(Failure) -> Device {
    try await threads.write { [store] () throws(Failure) in
      let result: Result<Device, Failure> = try store.base.write { rows in
        guard var row = try rows.companion(device.id), !row.device.revoked else {
          return .failure(Self.revoked(device))
        }
        if let refusal = try change(&row, rows) { return .failure(refusal) }
        try rows.store(row)
        return .success(row.device)
      }
      return try result.get()
    }
  }

  /// Returns a sentence that explains that the request was signed for another host or port.
  private static func misdirection(_ authority: String, _ local: SocketAddress?) -> String {
    let asked = Visible.line(String(authority.prefix(100)))
    let own = local.map { "\($0.plainAddress ?? ""):\($0.port ?? 0)" } ?? ""
    return
      "the request is signed for '\(asked)' but reached '\(own)': if a tunnel or proxy leads"
      + " here, set 'public_url = \"http://\(asked)\"' under [serve] in config.toml"
  }

  private static func revoked(_ device: Device) -> Failure {
    with401(.revoked(device.name, id: device.id))
  }

  private static func clockWentBack(_ until: Int) -> Failure {
    let instant = Timestamp(milliseconds: Int64(until) * 1000)
    return refused(
      "the hub's clock was set back: signatures until \(instant.iso8601) are refused;"
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
