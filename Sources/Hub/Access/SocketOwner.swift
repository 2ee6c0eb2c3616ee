import Core
import Foundation
import NIOCore

/// Which user a connection of this machine belongs to.
enum SocketOwner {
  /// Returns `true` if a connection comes from this machine: over loopback, by the address at our end, by
  /// another of its addresses, or by a socket that its tables have.
  static func isOfThisMachine(peer: SocketAddress?, local: SocketAddress?) -> Bool {
    guard let peer, let address = peer.plainAddress else { return false }
    return peer.isLoopback || address == local?.plainAddress || isOwn(address)
      || owner(peer: peer, local: local) != nil
  }

  /// Returns `true` if the other end of a connection is a socket of the user that we run as.
  static func isOurs(peer: SocketAddress?, local: SocketAddress?) -> Bool {
    owner(peer: peer, local: local) == getuid()
  }

  /// Finds the user whose socket the other end of a connection is, by proc(5), `/proc/net/tcp`.
  ///
  /// - Parameters:
  ///   - peer: The other end's address.
  ///   - local: Our end's.
  /// - Returns: The user; nil if the socket is not of this machine, or if there is no such file.
  static func owner(peer: SocketAddress?, local: SocketAddress?) -> uid_t? {
    guard let peer = peer.flatMap(Self.row), let local = local.flatMap(Self.row) else {
      return nil
    }
    for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
      if let user = user(of: peer, local, in: path) { return user }
    }
    return nil
  }

  /// Returns `true` for an address that an interface of this machine has: a socket is out of the tables
  /// as soon as it is reset.
  private static func isOwn(_ address: String) -> Bool {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.contains { $0.address?.plainAddress == address }
  }

  /// The user of a socket, by a table, which is read as far as need be; nil where it is not there.
  private static func user(of peer: [String], _ local: [String], in path: String) -> UInt32? {
    guard let table = fopen(path, "re") else { return nil }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer {
      free(line)
      fclose(table)
    }
    while getline(&line, &capacity, table) > 0, let line {
      // Number, local address, remote address, state, queues, timer, retransmits, user.
      let words = String(cString: line).split(separator: " ", maxSplits: 8)
      // What is no connection any more is told to be root's.
      guard words.count > 7, words[3] == "01", peer.contains(String(words[1])),
        local.contains(String(words[2]))
      else { continue }
      return UInt32(words[7])
    }
    return nil
  }

  /// An address as the tables may write it: words of 32 bits in the machine's order, and the port.
  ///
  /// One of IPv4 may stand in the table of IPv6, too.
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
