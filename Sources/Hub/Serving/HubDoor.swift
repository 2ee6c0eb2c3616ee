import Core
import Foundation
import NIOCore

/// Decides who is let in, by the head of a request: for HTTP and for WebSockets alike.
struct HubDoor: Sendable {
  /// What of a head tells who asks.
  struct Head: Sendable {
    var hosts: [String]
    var origins: [String]
    var fetchSites: [String]
    var authorization: String?
    var peer: SocketAddress?
  }

  let rule: AccessRule
  let keeper: DoorKeeper
  let desk: HubDesk

  /// Who asks, where they may.
  ///
  /// - Throws: What `AccessRule.judge` and `DoorKeeper.visitor` throw; `PermissionDenied` where the
  ///   token is good and not for this.
  func visitor(_ head: Head, for audience: HubRoute.Audience) async throws(Failure) -> Visitor? {
    try rule.judge(hosts: head.hosts, origins: head.origins, fetchSites: head.fetchSites)
    let isLocal = head.peer?.isLoopback ?? false
    switch audience {
    case .everybody: return nil
    case .machine where isLocal && head.authorization == nil: return nil
    case .machine, .devices, .operators: break
    }
    let visitor = try await visitor(head.authorization, isLocal: isLocal)
    guard audience == .devices || visitor.scope == .all else {
      throw Failure(
        .permissionDenied, "the token of '\(Visible.line(visitor.name))' is for sending events only"
      )
    }
    return visitor
  }

  private func visitor(_ authorization: String?, isLocal: Bool) async throws(Failure) -> Visitor {
    guard keeper.readsStore(for: authorization) else {
      return try keeper.visitor(authorization: authorization, isLocal: isLocal)
    }
    let keeper = keeper
    return try await desk.read { () throws(Failure) in
      try keeper.visitor(authorization: authorization, isLocal: isLocal)
    }
  }
}
