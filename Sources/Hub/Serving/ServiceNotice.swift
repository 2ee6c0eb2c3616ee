import Foundation

/// A notifier of systemd (sd_notify(3)).
///
/// It sends datagrams to the socket that `NOTIFY_SOCKET` names.
struct ServiceNotice: Sendable {
  private let socket: String?

  /// Reads the name of the socket from the given environment.
  ///
  /// If it is not set, nothing will be sent.
  init(_ environment: [String: String]) {
    socket = environment["NOTIFY_SOCKET"]
  }

  /// Sends the given state, such as `READY=1`; ignores failures.
  func send(_ state: String) {
    guard let socket, var path = Optional(Array(socket.utf8)), !path.isEmpty else { return }
    // The name of an abstract socket begins with a zero byte (unix(7)).
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
    let length = socklen_t(offset + path.count)
    let bytes = Array(state.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, 0, $0, length)
      }
    }
  }
}
