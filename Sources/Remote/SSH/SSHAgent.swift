import Core
import Foundation

/// An agent that holds private keys and signs with them (draft-miller-ssh-agent).
///
/// A new connection to the agent is opened for each request.
struct SSHAgent: Sendable {
  /// A key that the agent holds.
  struct Identity: Sendable {
    let key: HostKey
    let comment: String
  }

  private enum Message {
    static let failure: UInt8 = 5
    static let requestIdentities: UInt8 = 11
    static let identities: UInt8 = 12
  }

  /// The reply to a request that cannot be served.
  static let refusal = [Message.failure]
  /// The maximum length of a message.
  ///
  /// libssh has the same limit.
  static let longest = 256 << 10
  private static let mostIdentities = 256
  /// The key algorithms that libssh supports through an agent.
  private static let algorithms: Set = [
    "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
  ]

  /// The path of the agent's socket.
  let path: String
  /// The interruption that occurs when the process is to end.
  let interruption: Interruption

  /// Returns the agent's keys that libssh supports; nil if no agent answers.
  ///
  /// - Throws: `Interrupted` if the process is to end.
  func identities() throws(Failure) -> [Identity]? {
    guard let answer = try answer(to: [Message.requestIdentities], seconds: 2),
      answer.first == Message.identities
    else { return nil }
    var parts = WireStrings(answer.dropFirst())
    guard parts.skip(4) else { return nil }
    var identities: [Identity] = []
    while identities.count < Self.mostIdentities, let blob = parts.next(),
      let comment = parts.next()
    {
      guard let key = HostKey(blob: Array(blob)), Self.algorithms.contains(key.algorithm) else {
        continue
      }
      identities.append(Identity(key: key, comment: String(decoding: comment, as: UTF8.self)))
    }
    return identities
  }

  /// Returns the reply to a list request that lists only the given key.
  static func listing(_ key: HostKey) -> [UInt8] {
    [Message.identities] + WireStrings.number(1) + WireStrings.string(key.blob)
      + WireStrings.string([])
  }

  /// Returns `true` if the given message requests the list of keys.
  static func requestsIdentities(_ message: [UInt8]) -> Bool {
    message.first == Message.requestIdentities
  }

  /// Sends the given request and returns the reply; nil if no reply arrives in time.
  ///
  /// - Throws: `Interrupted` if the process is to end.
  func answer(to request: [UInt8], seconds: Double) throws(Failure) -> [UInt8]? {
    guard let socket = connected() else { return nil }
    defer { close(socket) }
    let limit = TimeLimit(seconds: seconds)
    let message = WireStrings.string(request)
    var sent = 0
    while sent < message.count {
      let count = message[sent...].withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count }
      guard count > 0 || errno == EAGAIN, try wait(socket, POLLOUT, limit) else { return nil }
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      var parts = WireStrings(received[...])
      if let answer = parts.next() { return Array(answer) }
      guard received.count <= Self.longest, try wait(socket, POLLIN, limit) else { return nil }
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
  }

  /// Waits for the given event on the given socket; returns `false` if the time limit expires.
  private func wait(_ socket: Int32, _ event: Int32, _ limit: TimeLimit) throws(Failure) -> Bool {
    var wanted = [pollfd(fd: socket, events: Int16(event), revents: 0)]
    try interruption.wait(for: &wanted, within: limit.milliseconds())
    return wanted[0].revents != 0
  }

  /// Returns a non-blocking socket that is connected to the agent; nil if there is no agent.
  private func connected() -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard !name.isEmpty, name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return nil
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let descriptor = socket(AF_UNIX, streamSocket, 0)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
