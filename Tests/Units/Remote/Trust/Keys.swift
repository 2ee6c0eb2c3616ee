import Foundation

@testable import Remote

/// Keys that belong to nobody, made of a name and bytes.
enum Keys {
  /// A key whose bytes are one byte again and again.
  static func ed25519(_ byte: UInt8) -> HostKey { make("ssh-ed25519", [bytes(32, byte)]) }

  /// A key on the curve's name alone: nobody here computes with it.
  static func ecdsa(_ byte: UInt8) -> HostKey {
    make("ecdsa-sha2-nistp256", [Array("nistp256".utf8), [4] + bytes(64, byte)])
  }

  /// A key whose number has so many zeros before it.
  static func rsa(_ byte: UInt8, zeros: Int = 1) -> HostKey {
    make("ssh-rsa", [[1, 0, 1], bytes(zeros, 0) + bytes(256, byte | 0x80)])
  }

  /// A key of a type that is to come.
  static let unknown = make("ssh-mldsa65", [bytes(1952, 7)])

  static let a = ed25519(0xA)
  static let b = ed25519(0xB)

  static func make(_ algorithm: String, _ parts: [[UInt8]]) -> HostKey {
    let blob = ([Array(algorithm.utf8)] + parts).flatMap { part in
      withUnsafeBytes(of: UInt32(part.count).bigEndian) { Array($0) } + part
    }
    return HostKey(blob: blob) ?? a
  }

  private static func bytes(_ count: Int, _ byte: UInt8) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
  }
}

extension HostKey {
  /// The key as a line has it after the names.
  var text: String { "\(algorithm) \(base64)" }
}
