import Core
import Foundation
import Synchronization

/// A proxy agent for libssh.
///
/// It lists only the chosen key, and forwards requests for signatures to the real agent. Without
/// it, libssh would offer all keys of the agent, which may be more than a host accepts. It would
/// also wait for the agent without a time limit.
final class AgentRelay: Sendable {
  /// The time limit for a signature, in seconds.
  ///
  /// The user may have to confirm the signature or to touch a token.
  private static let patience = 60.0

  /// The socket that libssh uses and closes.
  let descriptor: Int32
  private let chosen = Mutex<HostKey?>(nil)

  /// Starts a relay; returns nil if no socket pair can be created.
  ///
  /// The relay's thread ends when libssh closes its socket.
  init?(to agent: SSHAgent) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    let ours = ends[1]
    Thread.detachNewThread { [self] in
      while let request = Self.next(ours), Self.reply(answer(to: request, agent), ours) {}
      close(ours)
    }
  }

  /// Sets the only key that the relay lists.
  func choose(_ key: HostKey) { chosen.withLock { $0 = key } }

  private func answer(to request: [UInt8], _ agent: SSHAgent) -> [UInt8] {
    if SSHAgent.requestsIdentities(request) {
      return chosen.withLock { $0.map(SSHAgent.listing) } ?? SSHAgent.refusal
    }
    // An interruption is reported by the next wait instead.
    let answer = try? agent.answer(to: request, seconds: Self.patience)
    return answer ?? SSHAgent.refusal
  }

  /// Returns the next message from libssh; nil after libssh has closed its socket.
  private static func next(_ socket: Int32) -> [UInt8]? {
    guard let head = bytes(4, socket) else { return nil }
    let count = head.reduce(0) { $0 << 8 | Int($1) }
    return count <= SSHAgent.longest ? bytes(count, socket) : nil
  }

  private static func bytes(_ count: Int, _ socket: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
      let received = recv(socket, &piece, count - bytes.count, 0)
      if received < 0, errno == EINTR { continue }
      guard received > 0 else { return nil }
      bytes += piece[..<received]
    }
    return bytes
  }

  private static func reply(_ message: [UInt8], _ socket: Int32) -> Bool {
    let bytes = WireStrings.string(message)
    return send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }
}
