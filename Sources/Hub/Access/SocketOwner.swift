import Core
import Foundation
import NIOCore

/// The look-up of the user to whom a connection of this machine belongs.
enum SocketOwner {
  /// Returns `true` if the connection comes from this machine.
  ///
  /// This is the case if the peer has a loopback address, another address of this machine, or a
  /// socket in this machine's tables.
  static func isOfThisMachine(peer: SocketAddress?, local: SocketAddress?) -> Bool {
    guard let peer, let address = peer.plainAddress else { return false }
    return peer.isLoopback || address == local?.plainAddress || isOwn(address)
      || owner(peer: peer, local: local) != nil
  }

  /// Returns `true` if the peer's socket belongs to the user that this process runs as.
  static func isOurs(peer: SocketAddress?, local: SocketAddress?) -> Bool {
    owner(peer: peer, local: local) == getuid()
  }

  /// Returns `true` if the connection comes from another user of this machine.
  static func isForeign(peer: SocketAddress?, local: SocketAddress?) -> Bool {
    isOfThisMachine(peer: peer, local: local) && !isOurs(peer: peer, local: local)
  }

  /// Returns the user who owns the peer's socket, according to `/proc/net/tcp` (proc(5)).
  ///
  /// - Parameters:
  ///   - peer: The address of the peer.
  ///   - local: The address of our end.
  /// - Returns: The user; nil if the socket is on another machine or the table is missing.
  static func owner(peer: SocketAddress?, local: SocketAddress?) -> uid_t? {
    guard let peer = peer.flatMap(Self.row), let local = local.flatMap(Self.row) else {
      return nil
    }
    for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
      if let user = user(of: peer, local, in: path) { return user }
    }
    return nil
  }

  /// Returns `true` if an interface of this machine has the given address.
  private static func isOwn(_ address: String) -> Bool {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.contains { $0.address?.plainAddress == address }
  }

  /// Returns the user of a socket in the table at `path`; nil if the table does not list the
  /// socket.
  private static func user(of peer: [String], _ local: [String], in path: String) -> UInt32? {
    guard let table = fopen(path, "re") else { return nil }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer {
      free(line)
      fclose(table)
    }
    while getline(&line, &capacity, table) > 0, let line {
      // The columns: number, local address, remote address, state, queues, timer, retransmits,
      // user.
      let words = String(cString: line).split(separator: " ", maxSplits: 8)
      // The table lists sockets that are no longer connected as root's.
      guard words.count > 7, words[3] == "01", peer.contains(String(words[1])),
        local.contains(String(words[2]))
      else { continue }
      return UInt32(words[7])
    }
    return nil
  }

  /// Returns the forms in which the tables may write the given address.
  ///
  /// A form consists of 32-bit words in host order, followed by the port. The IPv6 table may also
  /// list an IPv4 address.
  private static func row(_ address: SocketAddress) -> [String]? {
    guard let port = address.port, let bytes = address.bytes else { return nil }
    let words = stride(from: 0, to: bytes.count, by: 4).map { offset in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    let mapping: [UInt32] = [0, 0, UInt32(0xFFFF).bigEndian]
    var forms = [words]
    if words.count == 1 { forms.append(mapping + words) }
    if words.starts(with: mapping) { forms.append([words[3]]) }
    let suffix = ":" + hexadecimal(UInt32(port), digits: 4)
    return forms.map { $0.map { hexadecimal($0, digits: 8) }.joined() + suffix }
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
