import Core
import HTTPTypes
import HummingbirdCore
import Signing

/// Says who asks for what companions ask for.
struct CompanionAccess: Sendable {
  /// Who asks.
  enum Asker: Sendable, Equatable {
    /// Whoever may start pairing here.
    case `operator`
    /// A device that paired.
    case companion(Device)
    /// Somebody else.
    case nobody
  }

  let desk: HubDesk
  let door: CompanionDoor
  let devices: DeviceDesk
  let keeper: DoorKeeper
  let rule: AccessRule

  /// What somebody is told who did not pair.
  static let unknown = Failure(
    .permissionDenied, "this device is not paired with the hub", kind: .notPaired)

  /// Who asks; a companion on the hub's own machine is a companion.
  ///
  /// - Throws: As `CompanionDoor.device`.
  func asker(_ asked: CompanionRequest) async throws(Failure) -> Asker {
    if asked.request.request.headers[.authorization] != nil {
      if try await isOperator(asked) { return .operator }
      // Who shows the token of a device is that device, and no companion by its address.
      guard asked.isSigned else { return .nobody }
    }
    let isForThisHub = rule.isOwn(
      asked.authority, on: asked.request.local, isSecure: asked.request.isSecure)
    let (door, visit) = (door, CompanionDoor.Visit(asked, isForThisHub: isForThisHub))
    let device: Device?
    do throws(Failure) {
      device = try await desk.write { () throws(Failure) in try door.device(visit) }
    } catch {
      guard !asked.isSigned, try await isOperator(asked) else { throw error }
      return .operator
    }
    if let device { return .companion(device) }
    return try await isOperator(asked) ? .operator : .nobody
  }

  /// The companion that asks.
  ///
  /// - Throws: `PermissionDenied` where none does.
  func companion(_ asked: CompanionRequest) async throws(Failure) -> Device {
    guard case .companion(let device) = try await asker(asked) else { throw Self.unknown }
    return device
  }

  /// The companion that asks, which has not disconnected.
  ///
  /// - Throws: `PermissionDenied` where it has, or none asks.
  func connected(_ asked: CompanionRequest) async throws(Failure) -> Device {
    let device = try await companion(asked)
    guard device.connectedAt != nil else {
      throw Failure(
        .permissionDenied, "the device disconnected: it has to pair again", kind: .notPaired)
    }
    return device
  }

  /// Judges whether the operator asks, on this machine.
  ///
  /// The operator shows the operator's own token, or asks from a process of theirs where that is
  /// enough. A device's token is not enough, whatever its scope.
  ///
  /// - Throws: As `DoorKeeper.visitor`.
  func isOperator(_ asked: CompanionRequest) async throws(Failure) -> Bool {
    let (peer, local) = (asked.request.peer, asked.request.local)
    guard SocketOwner.isOfThisMachine(peer: peer, local: local) else { return false }
    let (keeper, mode) = (keeper, door.mode)
    let authorization = asked.request.request.headers[.authorization]
    let isPassedOn = asked.isPassedOn
    return try await desk.read { () throws(Failure) in
      guard authorization == nil else {
        // A device may do all that steers agents; it lets in no others.
        return try keeper.visitor(authorization: authorization, isLocal: true).deviceId == nil
      }
      return mode == .address && !isPassedOn && SocketOwner.isOurs(peer: peer, local: local)
    }
  }
}

extension CompanionDoor.Visit {
  /// What of a request tells who sent it.
  init(_ asked: CompanionRequest, isForThisHub: Bool) {
    self.init(
      message: asked.message, body: asked.body, peer: asked.request.peer,
      local: asked.request.local, isForThisHub: isForThisHub)
  }
}
