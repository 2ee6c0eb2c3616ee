import Core
import HTTPTypes
import HubWords
import HummingbirdCore
import NIOCore
import Signing
import Storage

/// The routes of companions: pairing, status, and the chats of this machine.
///
/// Failures have the form that companions expect: `{"ok":false,"error":…,"code":…}`.
struct CompanionRoutes: Sendable {
  let desk: HubDesk
  let door: Door
  let devices: DeviceDesk
  let pairing: PairingDesk
  let chats: CompanionChats
  let continuations: Continuations
  let openings: Openings
  /// The URL at which companions reach the hub; nil if it is not configured.
  let publicURL: String?
  /// The SHA-256 of the hub's public key; nil without TLS.
  let pin: String?

  var all: [HubRoute] {
    [
      post("/companion/pairing/start") { (request) async throws(Failure) in
        try await start(request)
      },
      post("/companion/pairing/complete") { (request) async throws(Failure) in
        try await complete(request)
      },
      get("/companion/status") { (request) async throws(Failure) in
        let visitor: Visitor?
        do throws(Failure) {
          visitor = try await door.visitor(by: request.credentials)
        } catch {
          // The status reports a revoked device as not connected.
          guard error.code == .deviceRevoked, !request.isSigned else { throw error }
          visitor = nil
        }
        return try HubAnswer(try await status(visitor))
      },
      post("/companion/disconnect") { (request) async throws(Failure) in
        let (pairing, device) = (pairing, try await companion(request))
        try await desk.write { () throws(Failure) in try pairing.disconnect(device) }
        // The status is that of the requesting companion, even if another companion is connected.
        return try HubAnswer(CompanionStatus(nil))
      },
      get("/companion/devices") { (request) async throws(Failure) in try await list(request) },
      delete("/companion/devices/{id}") { (request) async throws(Failure) in
        try await revoke(request)
      },
      get("/companion/projects") { (request) async throws(Failure) in
        try HubAnswer(
          CompanionProjectList(
            projects: try await reading(request) { (chats) throws(Failure) in
              try chats.projects()
            }))
      },
      get("/companion/projects/{projectId}/chats") { (request) async throws(Failure) in
        let id = try request.request.part("projectId")
        return try HubAnswer(
          CompanionChatList(
            chats: try await reading(request) { (chats) throws(Failure) in
              try chats.chats(in: id)
            }))
      },
      get("/companion/chats/{chatId}/messages") { (request) async throws(Failure) in
        try HubAnswer(
          try await reading(request) { (chats) throws(Failure) in
            let cursor = try request.request.number("cursor", in: 0...Int(Int32.max), usual: 0)
            let limit = try request.request.number("limit", in: 1...500, usual: 50)
            return try chats.messages(
              of: try request.request.part("chatId"), from: cursor, limit: limit)
          })
      },
      post("/companion/chats/{chatId}/continue") { (request) async throws(Failure) in
        try await goOn(request)
      },
    ]
  }

  // MARK: Pairing

  private func start(_ request: CompanionRequest) async throws(Failure) -> HubAnswer {
    guard try await door.visitor(by: request.ownersCredentials) != nil else {
      throw Failure(
        .permissionDenied,
        "only the operator can start pairing, on the hub's machine")
    }
    let body = request.body.isEmpty ? PairingStart() : try request.object(PairingStart.self)
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

  private func complete(_ request: CompanionRequest) async throws(Failure) -> HubAnswer {
    let completion = try request.object(PairingCompletion.self)
    let (pairing, address) = (pairing, request.request.ends.peer?.plainAddress ?? "")
    let device = try await desk.write { () throws(Failure) in
      try pairing.complete(completion, from: address)
    }
    var status = CompanionStatus(ConnectedDevice(device))
    if try DeviceKey(completion.devicePublicKey)?.kind != .opaque {
      status.auth = SigningInvitation(keyid: device.id)
    }
    return try HubAnswer(status)
  }

  private func status(_ visitor: Visitor?) async throws(Failure) -> CompanionStatus {
    guard let visitor else { return CompanionStatus(nil) }
    // The companion that completed pairing most recently.
    let device = try await door.companions().first { $0.connectedAt != nil }
    var status = CompanionStatus(device.flatMap(ConnectedDevice.init))
    if visitor == .owner, let progress = pairing.progress {
      status.pairing = PairingProgress(
        id: progress.id, device: progress.device.map { TrustedDevice($0, forOperator: true) })
    }
    return status
  }

  private func list(_ request: CompanionRequest) async throws(Failure) -> HubAnswer {
    let visitor = try await visitor(request)
    let devices = try await door.companions()
    return try HubAnswer(
      CompanionDeviceList(
        devices: devices.map { TrustedDevice($0, forOperator: visitor == .owner) }))
  }

  private func revoke(_ request: CompanionRequest) async throws(Failure) -> HubAnswer {
    let id = try request.request.part("id")
    let visitor = try await visitor(request)
    guard visitor == .owner || visitor.deviceId == id else {
      throw Failure(.permissionDenied, "a device can only disconnect itself", input: id)
    }
    let (store, devices) = (desk.own, devices)
    try await desk.write { () throws(Failure) in
      guard try store.base.read({ try $0.companions() }).contains(where: { $0.device.id == id })
      else { throw Failure(.notFound, "there is no device '\(Visible.line(id))'", input: id) }
      _ = try devices.revoke(id)
    }
    await openings.endAndWait(id)
    return try HubAnswer(try await status(visitor == .owner ? visitor : nil))
  }

  // MARK: Visitors

  /// Returns the owner or the companion that sent the given request.
  ///
  /// - Throws: `PermissionDenied` if the sender is neither; as `Door.visitor(by:)`.
  private func visitor(_ request: CompanionRequest) async throws(Failure) -> Visitor {
    guard let visitor = try await door.visitor(by: request.credentials) else { throw Self.unknown }
    return visitor
  }

  /// Returns the companion that sent the given request.
  private func companion(_ request: CompanionRequest) async throws(Failure) -> Device {
    guard let device = try await visitor(request).device else { throw Self.unknown }
    return device
  }

  /// Returns the companion that sent the given request.
  ///
  /// - Throws: A failure if the companion is not connected.
  private func connected(_ request: CompanionRequest) async throws(Failure) -> Device {
    let device = try await companion(request)
    guard device.connectedAt != nil else {
      throw Failure(
        .permissionDenied, "the device disconnected: it must pair again", kind: .notPaired)
    }
    return device
  }

  private static let unknown = Failure(
    .permissionDenied, "this device is not paired with the hub", kind: .notPaired)

  // MARK: Chats

  /// Runs `work` on the chats, for a connected companion.
  ///
  /// The default model must be usable.
  private func reading<Value: Sendable>(
    _ request: CompanionRequest,
    _ work: @escaping @Sendable (CompanionChats) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    _ = try await connected(request)
    let chats = chats
    return try await desk.read { () throws(Failure) in
      try chats.checkModel()
      return try work(chats)
    }
  }

  private func goOn(_ request: CompanionRequest) async throws(Failure) -> HubAnswer {
    let visitor = Visitor.device(try await connected(request))
    let (chats, id) = (chats, try request.request.part("chatId"))
    let body = try request.object(ChatContinuation.self)
    let stream = try await continuations.begin(
      id, by: visitor,
      offering: { (work) async throws(Failure) in try await chats.offering(body, work) },
      { (tools) throws(Failure) in try chats.sending(body, in: id, with: tools) })
    return HubAnswer(contentType: "text/event-stream") { [openings] writer in
      let opening = await openings.open(.answer, to: visitor, tick: { stream.tick() }) { _ in
        stream.wake()
      }
      defer {
        stream.end()
        openings.close(opening)
      }
      for await piece in stream.pieces {
        if let failure = opening.reason {
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
      // Only prompts may be long.
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
  /// Creates the response to the given failure in the form that companions expect.
  init(companion failure: Failure) {
    var failure = failure
    // The hub's key is missing, not the companion's.
    if failure.code == .missingAPIKey { failure.status = 503 }
    self.init(failure)
    let told = CompanionFailure(
      error: Secrets.shown(failure.explanation), action: failure.nextStep.map(Secrets.shown),
      code: failure.code.rawValue, kind: failure.kind?.rawValue)
    body = Array(((try? told.json()) ?? "{}").utf8) + [0x0A]
  }
}

extension ConnectedDevice {
  /// Creates the description of the given companion that all companions receive; nil if it is not
  /// connected.
  init?(_ device: Device) {
    guard let since = device.connectedAt else { return nil }
    self.init(
      id: device.id, name: device.name, connectedAt: since,
      lastSeenAt: device.lastSeenAt ?? since)
  }
}

extension TrustedDevice {
  /// Creates the description of the given companion.
  ///
  /// The operator receives more details than companions.
  init(_ device: Device, forOperator: Bool) {
    self.init(
      id: device.id, name: device.name, pairedAt: device.createdAt,
      lastSeenAt: device.lastSeenAt ?? device.createdAt)
    guard forOperator else { return }
    (connectedAt, auth, via) = (device.connectedAt, device.auth, device.via)
  }
}
