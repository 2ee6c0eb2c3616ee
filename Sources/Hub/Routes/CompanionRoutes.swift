import Core
import HTTPTypes
import HubWords
import HummingbirdCore
import NIOCore
import Signing

/// What a companion asks: to pair, how it stands, and for the chats of this machine.
///
/// Failures have the form that companions know: `{"ok":false,"error":…,"code":…}`.
struct CompanionRoutes: Sendable {
  let desk: HubDesk
  let access: CompanionAccess
  let pairing: PairingDesk
  let chats: CompanionChats
  let continuations: Continuations
  let readers: CompanionReaders
  /// Where companions reach the hub, where that is set.
  let publicURL: String?
  /// The SHA-256 of the hub's public key, where it speaks TLS.
  let pin: String?

  var all: [HubRoute] {
    [
      post("/companion/pairing/start") { (asked) async throws(Failure) in try await start(asked) },
      post("/companion/pairing/complete") { (asked) async throws(Failure) in
        try await complete(asked)
      },
      get("/companion/status") { (asked) async throws(Failure) in
        let asker: CompanionAccess.Asker
        do throws(Failure) {
          asker = try await access.asker(asked)
        } catch {
          // Whoever is nobody now is not connected: that is what is asked.
          guard error.code == .deviceRevoked, !asked.isSigned else { throw error }
          asker = .nobody
        }
        return try HubAnswer(try await status(asker))
      },
      post("/companion/disconnect") { (asked) async throws(Failure) in
        let (access, device) = (access, try await access.companion(asked))
        try await desk.write { () throws(Failure) in try access.door.disconnect(device) }
        // Who asks is connected no more, whoever else is.
        return try HubAnswer(CompanionStatus(nil))
      },
      get("/companion/devices") { (asked) async throws(Failure) in try await devices(asked) },
      delete("/companion/devices/{id}") { (asked) async throws(Failure) in
        try await revoke(asked)
      },
      get("/companion/projects") { (asked) async throws(Failure) in
        try HubAnswer(
          CompanionProjectList(
            projects: try await reading(asked) { (chats) throws(Failure) in try chats.projects() }))
      },
      get("/companion/projects/{projectId}/chats") { (asked) async throws(Failure) in
        let id = try asked.request.part("projectId")
        return try HubAnswer(
          CompanionChatList(
            chats: try await reading(asked) { (chats) throws(Failure) in try chats.chats(in: id) }))
      },
      get("/companion/chats/{chatId}/messages") { (asked) async throws(Failure) in
        try HubAnswer(
          try await reading(asked) { (chats) throws(Failure) in
            let cursor = try asked.request.number("cursor", in: 0...Int(Int32.max), usual: 0)
            let limit = try asked.request.number("limit", in: 1...500, usual: 50)
            return try chats.messages(
              of: try asked.request.part("chatId"), from: cursor, limit: limit)
          })
      },
      post("/companion/chats/{chatId}/continue") { (asked) async throws(Failure) in
        try await goOn(asked)
      },
    ]
  }

  // MARK: Pairing

  private func start(_ asked: CompanionRequest) async throws(Failure) -> HubAnswer {
    guard try await access.isOperator(asked) else {
      throw Failure(
        .permissionDenied,
        "only the operator starts pairing, on the hub's machine; a device's token does not")
    }
    let body = asked.body.isEmpty ? PairingStart() : try asked.object(PairingStart.self)
    let pairing = pairing
    let (code, wait) = try await desk.write { () throws(Failure) in
      (pairing.start(lifetime: body.ttlSeconds), try pairing.closedFor())
    }
    let payload = PairingPayload(
      code: code.code, token: code.token, expiresAt: code.expiresAt.iso8601, url: publicURL,
      tls: pin)
    var started = PairingStarted(
      id: code.id, code: code.code, expiresAt: payload.expiresAt,
      qrPayload: try payload.json())
    started.typingAfterSeconds = wait?.rounded(.up)
    return try HubAnswer(started)
  }

  private func complete(_ asked: CompanionRequest) async throws(Failure) -> HubAnswer {
    let completion = try asked.object(PairingCompletion.self)
    let (pairing, address) = (pairing, asked.request.peer?.plainAddress ?? "")
    let device = try await desk.write { () throws(Failure) in
      try pairing.complete(completion, from: address)
    }
    var status = CompanionStatus(ConnectedDevice(device))
    if DeviceKey(completion.devicePublicKey)?.kind != .opaque {
      status.auth = SigningInvitation(keyid: device.id)
    }
    return try HubAnswer(status)
  }

  private func status(_ asker: CompanionAccess.Asker) async throws(Failure) -> CompanionStatus {
    guard asker != .nobody else { return CompanionStatus(nil) }
    let door = access.door
    let device = try await desk.read { () throws(Failure) in try door.connected() }
    var status = CompanionStatus(device.flatMap(ConnectedDevice.init))
    if asker == .operator, let progress = pairing.progress {
      status.pairing = PairingProgress(
        id: progress.id, device: progress.device.map { TrustedDevice($0, forOperator: true) })
    }
    return status
  }

  private func devices(_ asked: CompanionRequest) async throws(Failure) -> HubAnswer {
    let asker = try await access.asker(asked)
    guard asker != .nobody else { throw CompanionAccess.unknown }
    let door = access.door
    let devices = try await desk.read { () throws(Failure) in try door.devices() }
    return try HubAnswer(
      CompanionDeviceList(
        devices: devices.map { TrustedDevice($0, forOperator: asker == .operator) }))
  }

  private func revoke(_ asked: CompanionRequest) async throws(Failure) -> HubAnswer {
    let id = try asked.request.part("id")
    let asker = try await access.asker(asked)
    switch asker {
    case .nobody: throw CompanionAccess.unknown
    case .companion(let device) where device.id != id:
      throw Failure(.permissionDenied, "a device lets go of itself alone", input: id)
    case .companion, .operator: break
    }
    let (access, devices) = (access, access.devices)
    try await desk.write { () throws(Failure) in
      guard try access.door.devices().contains(where: { $0.id == id }) else {
        throw Failure(.notFound, "there is no device '\(Visible.line(id))'", input: id)
      }
      _ = try devices.revoke(id)
    }
    continuations.end([id])
    await readers.endAndWait(id)
    guard asker == .operator else { return try HubAnswer(CompanionStatus(nil)) }
    return try HubAnswer(try await status(asker))
  }

  // MARK: Chats

  /// Reads the chats, for a companion that is connected, if the usual model can be asked.
  private func reading<Value: Sendable>(
    _ asked: CompanionRequest,
    _ work: @escaping @Sendable (CompanionChats) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    _ = try await access.connected(asked)
    let chats = chats
    return try await desk.read { () throws(Failure) in
      try chats.checkModel()
      return try work(chats)
    }
  }

  private func goOn(_ asked: CompanionRequest) async throws(Failure) -> HubAnswer {
    let device = try await access.connected(asked)
    let (chats, id) = (chats, try asked.request.part("chatId"))
    let body = try asked.object(ChatContinuation.self)
    let stream = try await continuations.begin(id, by: device.id) { () throws(Failure) in
      try chats.sending(body, in: id)
    }
    let (readers, door, desk) = (readers, access.door, desk)
    return HubAnswer(contentType: "text/event-stream") { writer in
      let reader = readers.enter(device, stream)
      defer {
        stream.end()
        readers.leave(reader)
      }
      // It may have been shut out since it was let in, and before it was a reader.
      if try await !desk.read({ () throws(Failure) in try door.letsIn(device.id) }) {
        readers.end([device.id])
      }
      for await piece in stream.pieces {
        if let failure = readers.reason(against: reader) {
          let json = Continuations.error(failure)
          try await writer.write(ByteBuffer(string: "data: \(json)\n\n"))
          break
        }
        switch piece {
        case .frame(let json): try await writer.write(ByteBuffer(string: "data: \(json)\n\n"))
        case .silence: try await writer.write(ByteBuffer(string: ": ping\n\n"))
        case .wake: break
        }
      }
      try await writer.write(ByteBuffer(string: "data: [DONE]\n\n"))
      try await writer.finish(nil)
    }
  }

  // MARK: Parts

  private typealias Work = @Sendable (CompanionRequest) async throws(Failure) -> HubAnswer

  private func get(_ path: String, _ work: @escaping Work) -> HubRoute { route(.get, path, work) }
  private func post(_ path: String, _ work: @escaping Work) -> HubRoute {
    route(.post, path, work)
  }
  private func delete(_ path: String, _ work: @escaping Work) -> HubRoute {
    route(.delete, path, work)
  }

  private func route(
    _ method: HTTPRequest.Method, _ path: String, _ work: @escaping Work
  ) -> HubRoute {
    var route = HubRoute(method: method, path: path, audience: .everybody) {
      (request) async throws(Failure) in
      // Nothing but a prompt is long.
      try await work(
        path.hasSuffix("/continue")
          ? try await CompanionRequest(request, upTo: HubRequest.usualBody)
          : try await CompanionRequest(request))
    }
    route.failed = { failure in HubAnswer(companion: failure) }
    return route
  }
}

extension HubAnswer {
  /// A failure in the form that companions know.
  init(companion failure: Failure) {
    var failure = failure
    // It is not the companion that lacks the key.
    if failure.code == .missingAPIKey { failure.status = 503 }
    self.init(failure)
    let told = CompanionFailure(
      error: Secrets.shown(failure.explanation), code: failure.code.rawValue,
      kind: failure.kind?.rawValue)
    body = Array(((try? told.json()) ?? "{}").utf8) + [0x0A]
  }
}

extension ConnectedDevice {
  /// A companion as others are told of it; nil where it is not connected.
  init?(_ device: Device) {
    guard let since = device.connectedAt else { return nil }
    self.init(
      id: device.id, name: device.name, connectedAt: since,
      lastSeenAt: device.lastSeenAt ?? since)
  }
}

extension TrustedDevice {
  /// A companion as others are told of it; the operator is told more.
  init(_ device: Device, forOperator: Bool) {
    self.init(
      id: device.id, name: device.name, pairedAt: device.createdAt,
      lastSeenAt: device.lastSeenAt ?? device.createdAt)
    guard forOperator else { return }
    (connectedAt, auth, via) = (device.connectedAt, device.auth, device.via)
  }
}
