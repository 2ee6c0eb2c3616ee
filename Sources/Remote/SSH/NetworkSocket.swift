import Core
import Foundation
import Synchronization

/// A TCP connection to the first of a host's addresses that accepts it.
///
/// Names are resolved on a separate thread, because getaddrinfo(3) cannot be interrupted. Attempts
/// start a quarter of a second apart, while earlier ones continue. This is RFC 8305 without its
/// sorting of addresses.
struct NetworkSocket: ~Copyable {
  /// The connected socket.
  ///
  /// It is non-blocking and has TCP_NODELAY.
  let descriptor: Int32

  /// Connects to the given host.
  ///
  /// - Throws: `SSHHostUnreachable` if no address accepts the connection; `Timeout` if the time
  ///   limit expires; `Interrupted` if the process is to end.
  init(
    host: String, port: Int, limit: TimeLimit, interruption: Interruption
  ) throws(Failure) {
    let subject = "\(Visible.line(host)):\(port)"
    let addresses = try Self.addresses(
      of: host, port: port, subject: subject, limit, interruption)
    var attempts: [pollfd] = []
    defer { for attempt in attempts where attempt.fd >= 0 { close(attempt.fd) } }
    var next = 0
    var lastError: Int32 = 0
    while true {
      if next < addresses.count {
        switch Self.start(addresses[next]) {
        case .success(let descriptor):
          attempts.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
        case .failure(let error): lastError = error.code
        }
        next += 1
      }
      guard next < addresses.count || attempts.contains(where: { $0.fd >= 0 }) else { break }
      guard !limit.isOver else { throw Self.late(subject, limit, host: host, addresses) }
      let isLast = next == addresses.count
      try interruption.wait(
        for: &attempts, within: limit.milliseconds(atMost: isLast ? 60_000 : 250))
      for index in attempts.indices where attempts[index].fd >= 0 && attempts[index].revents != 0 {
        let error = Self.error(attempts[index].fd)
        if error == 0 {
          descriptor = attempts[index].fd
          attempts[index].fd = -1
          var on: Int32 = 1
          // A socket that delays small segments works, too.
          _ = setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
          return
        }
        lastError = error
        close(attempts[index].fd)
        attempts[index].fd = -1
      }
    }
    throw Self.unreachable(
      "cannot reach '\(subject)': \(String(cString: strerror(lastError)).lowercased())",
      kind: .connect, host, addresses)
  }

  deinit { close(descriptor) }

  // MARK: - Addresses

  /// An address that getaddrinfo(3) returned.
  struct Address: Sendable {
    var family: Int32
    var bytes: [UInt8]
  }

  private struct SystemError: Error {
    var code: Int32
  }

  private static func addresses(
    of host: String, port: Int, subject: String, _ limit: TimeLimit, _ interruption: Interruption
  ) throws(Failure) -> [Address] {
    let answer = Answer()
    guard answer.isOpen else {
      throw Failure(.sshHostUnreachable, "cannot open a pipe to look up '\(subject)'")
    }
    Thread.detachNewThread { answer.deliver(lookUp(host, port)) }
    while !limit.isOver {
      guard try interruption.isReadable(answer.reading, within: limit.milliseconds()) else {
        continue
      }
      let (code, addresses) = answer.value.withLock { $0 } ?? (EAI_FAIL, [])
      guard code != 0 else { return addresses }
      throw unreachable(
        "cannot reach '\(subject)': \(String(cString: gai_strerror(code)).lowercased())",
        kind: .name, host, [])
    }
    throw late(subject, limit, host: host, [])
  }

  /// The result of the name resolution, and a pipe that becomes readable when the result is there.
  private final class Answer: Sendable {
    let value = Mutex<(Int32, [Address])?>(nil)
    let reading: Int32
    private let writing: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      (reading, writing) = pipe(&ends) == 0 ? (ends[0], ends[1]) : (-1, -1)
      for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    var isOpen: Bool { reading >= 0 }

    func deliver(_ found: (Int32, [Address])) {
      value.withLock { $0 = found }
      // If the reader is gone, the result is not needed.
      _ = write(writing, [1], 1)
    }

    deinit {
      close(reading)
      close(writing)
    }
  }

  private static func lookUp(_ host: String, _ port: Int) -> (Int32, [Address]) {
    var hints = addrinfo()
    hints.ai_socktype = streamSocket
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &list)
    guard code == 0 else { return (code, []) }
    defer { freeaddrinfo(list) }
    var addresses: [Address] = []
    var entry = list
    while let info = entry?.pointee, addresses.count < 16 {
      if let address = info.ai_addr {
        addresses.append(
          Address(
            family: info.ai_family,
            bytes: Array(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))))
      }
      entry = info.ai_next
    }
    return addresses.isEmpty ? (EAI_NONAME, []) : (0, addresses)
  }

  private static func start(_ address: Address) -> Result<Int32, SystemError> {
    let descriptor = socket(address.family, streamSocket, 0)
    guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let status = address.bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
      }
    }
    guard status == 0 || errno == EINPROGRESS else {
      let code = errno
      close(descriptor)
      return .failure(SystemError(code: code))
    }
    return .success(descriptor)
  }

  /// Returns the error of connect(2) on the given socket (SO_ERROR).
  private static func error(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }
}
