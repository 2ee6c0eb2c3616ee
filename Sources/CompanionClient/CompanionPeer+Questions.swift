public import Core
import Foundation
import HTTP
public import HubWords

extension CompanionPeer {
  /// Opens a code on a hub of this machine.
  ///
  /// - Parameter seconds: For how long it is wanted; nil for the usual.
  /// - Returns: The code, and what its QR code says.
  /// - Throws: As ``ask(_:_:query:body:_:)``.
  public func start(lifetime seconds: Double?) async throws(Failure) -> PairingStarted {
    try await ask(
      "POST", "/companion/pairing/start", body: PairingStart(ttlSeconds: seconds),
      PairingStarted.self)
  }

  /// Pairs this machine.
  ///
  /// - Throws: `PairingCodeInvalid`, `PairingCodeExpired`, `Conflict`, `RateLimited`, and as
  ///   ``ask(_:_:query:body:_:)``.
  public func complete(_ request: PairingCompletion) async throws(Failure) -> CompanionStatus {
    try await ask("POST", "/companion/pairing/complete", body: request, CompanionStatus.self)
  }

  /// Whether a device is connected, and which.
  ///
  /// - Throws: As ``ask(_:_:query:body:_:)``.
  public func status() async throws(Failure) -> CompanionStatus {
    try await ask("GET", "/companion/status", CompanionStatus.self)
  }

  /// Lets go of the host until this machine pairs again.
  ///
  /// - Throws: As ``ask(_:_:query:body:_:)``.
  public func disconnect() async throws(Failure) -> CompanionStatus {
    try await ask("POST", "/companion/disconnect", CompanionStatus.self)
  }

  /// The devices that paired with the host.
  ///
  /// - Throws: As ``ask(_:_:query:body:_:)``.
  public func devices() async throws(Failure) -> [TrustedDevice] {
    try await ask("GET", "/companion/devices", CompanionDeviceList.self).devices
  }

  /// Has the host let a device in no more.
  ///
  /// - Throws: `NotFound`, and as ``ask(_:_:query:body:_:)``.
  public func revoke(_ id: String) async throws(Failure) -> CompanionStatus {
    try await ask("DELETE", "/companion/devices/\(id.percentEncoded)", CompanionStatus.self)
  }

  /// The host's projects.
  ///
  /// - Throws: As ``ask(_:_:query:body:_:)``.
  public func projects() async throws(Failure) -> [CompanionProject] {
    try await ask("GET", "/companion/projects", CompanionProjectList.self).projects
  }

  /// The chats of a project.
  ///
  /// - Throws: As ``ask(_:_:query:body:_:)``.
  public func chats(in projectId: String) async throws(Failure) -> [CompanionChat] {
    let path = "/companion/projects/\(projectId.percentEncoded)/chats"
    return try await ask("GET", path, CompanionChatList.self).chats
  }

  /// A part of what was said in a chat.
  ///
  /// - Parameters:
  ///   - chatId: The chat.
  ///   - cursor: Where the part begins; nil for the start.
  ///   - limit: So many at most.
  /// - Returns: The part.
  /// - Throws: As ``ask(_:_:query:body:_:)``.
  public func messages(
    of chatId: String, from cursor: String?, limit: Int
  ) async throws(Failure) -> CompanionMessages {
    try await ask(
      "GET", "/companion/chats/\(chatId.percentEncoded)/messages",
      query: "cursor=\((cursor ?? "0").percentEncoded)&limit=\(limit)", CompanionMessages.self)
  }
}
