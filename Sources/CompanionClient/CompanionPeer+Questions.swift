public import Core
import Foundation
import HTTP
public import HubWords

extension CompanionPeer {
  /// Creates a pairing code at the hub of this machine.
  ///
  /// - Parameter seconds: The lifetime of the code; nil for the default.
  /// - Returns: The code and the contents of its QR code.
  /// - Throws: As ``send(_:_:query:body:_:)``.
  public func start(lifetime seconds: Double?) async throws(Failure) -> PairingStarted {
    try await send(
      "POST", "/companion/pairing/start", body: PairingStart(ttlSeconds: seconds),
      PairingStarted.self)
  }

  /// Pairs this machine with the host.
  ///
  /// - Throws: `PairingCodeInvalid` if the code is wrong; `PairingCodeExpired` if it has expired;
  ///   `Conflict` if another device used it; `RateLimited` after too many attempts; as
  ///   ``send(_:_:query:body:_:)``.
  public func complete(_ request: PairingCompletion) async throws(Failure) -> CompanionStatus {
    try await send("POST", "/companion/pairing/complete", body: request, CompanionStatus.self)
  }

  /// Returns the host's status, which names the connected device, if any.
  ///
  /// - Throws: As ``send(_:_:query:body:_:)``.
  public func status() async throws(Failure) -> CompanionStatus {
    try await send("GET", "/companion/status", CompanionStatus.self)
  }

  /// Disconnects this machine from the host.
  ///
  /// It must pair again to be connected.
  ///
  /// - Throws: As ``send(_:_:query:body:_:)``.
  public func disconnect() async throws(Failure) -> CompanionStatus {
    try await send("POST", "/companion/disconnect", CompanionStatus.self)
  }

  /// Returns the devices that paired with the host.
  ///
  /// - Throws: As ``send(_:_:query:body:_:)``.
  public func devices() async throws(Failure) -> [TrustedDevice] {
    try await send("GET", "/companion/devices", CompanionDeviceList.self).devices
  }

  /// Revokes the access of the given device to the host.
  ///
  /// - Throws: `NotFound` if there is no such device; as ``send(_:_:query:body:_:)``.
  public func revoke(_ id: String) async throws(Failure) -> CompanionStatus {
    try await send("DELETE", "/companion/devices/\(id.percentEncoded)", CompanionStatus.self)
  }

  /// Returns the host's projects.
  ///
  /// - Throws: As ``send(_:_:query:body:_:)``.
  public func projects() async throws(Failure) -> [CompanionProject] {
    try await send("GET", "/companion/projects", CompanionProjectList.self).projects
  }

  /// Returns the chats of the given project.
  ///
  /// - Throws: As ``send(_:_:query:body:_:)``.
  public func chats(in projectId: String) async throws(Failure) -> [CompanionChat] {
    let path = "/companion/projects/\(projectId.percentEncoded)/chats"
    return try await send("GET", path, CompanionChatList.self).chats
  }

  /// Returns a page of the messages of the given chat.
  ///
  /// - Parameters:
  ///   - chatId: The id of the chat.
  ///   - cursor: The cursor at which the page starts; nil for the first page.
  ///   - limit: The largest number of messages.
  /// - Returns: The page.
  /// - Throws: As ``send(_:_:query:body:_:)``.
  public func messages(
    of chatId: String, from cursor: String?, limit: Int
  ) async throws(Failure) -> CompanionMessages {
    try await send(
      "GET", "/companion/chats/\(chatId.percentEncoded)/messages",
      query: "cursor=\((cursor ?? "0").percentEncoded)&limit=\(limit)", CompanionMessages.self)
  }
}
