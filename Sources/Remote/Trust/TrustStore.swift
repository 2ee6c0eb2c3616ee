public import Core
import Foundation

/// Our own record of the keys that hosts have, in OpenSSH's format: `ssh-keygen -F` and `-R` work
/// on it.
///
/// Each change is made under a lock, to a whole new file, durably; lines that it does not concern
/// stay as they are, byte for byte.
public struct TrustStore: Sendable {
  /// The path of the file.
  public let path: String

  /// Uses a file, which need not be there yet.
  public init(path: String) { self.path = path }

  /// Uses the file in the folder of our data.
  public init(_ directories: Directories) { self.init(path: directories.data + "/known_hosts") }

  /// Records the key of a host that nothing is recorded of.
  ///
  /// - Returns: Whether it was recorded now; false when it stood there already, as after another
  ///   first connection at the same time.
  /// - Throws: `SSHHostKeyMismatch` when the store has come to say otherwise, `StorageFailed`,
  ///   `PermissionDenied`; `BadUsage` for a name that cannot stand in a list.
  public func add(_ key: HostKey, for host: HostIdentity) throws(Failure) -> Bool {
    try check(key, host)
    let lock = try FileLock.waiting(for: path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    let file = try file()
    // Under another port's name it is not recorded for this one.
    let record = HostRecord(sources: [.init(named: file.statements(on: host.name))])
    switch record.verdict(on: key) {
    case .trusted: return false
    case .unknown: break
    case let verdict:
      if let failure = verdict.failure(host: host, offered: key) { throw failure }
    }
    try PrivateFile.write(Self.appending(key, host, to: file.bytes), to: path)
    return true
  }

  /// Forgets the keys of a host, as a line lists it: other hosts keep theirs, and what is revoked
  /// stays so.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - key: A key to record for it in the same step.
  /// - Returns: How many lines named it.
  /// - Throws: `SSHHostKeyMismatch` when that key is revoked here, `StorageFailed`,
  ///   `PermissionDenied`; `BadUsage` for a name that cannot stand in a list.
  public func reset(_ host: HostIdentity, trusting key: HostKey? = nil) throws(Failure) -> Int {
    if let key { try check(key, host) }
    let lock = try FileLock.waiting(for: path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    let file = try file()
    let name = Array(host.name.utf8)
    let lines = file.lines
    var bytes: [UInt8] = []
    var count = 0
    for (number, line) in lines.enumerated() {
      let isLast = number == lines.count - 1
      let end = isLast ? file.bytes.suffix(1).filter { $0 == 0x0A } : [0x0A]
      if let read = KnownHostsFile.line(line, number: number), read.marker == .none,
        read.names.answer(name) != .isNotNamed
      {
        count += 1
        if let rest = read.withoutName(name) { bytes += rest + end }
      } else {
        bytes += line + end
      }
    }
    guard count > 0 || key != nil else { return 0 }
    if let key {
      let rest = KnownHostsFile(path: path, bytes: bytes).statements(on: host.name)
      for found in rest where found.statement == .revoked(key) {
        if let failure = TrustVerdict.revoked(found.place).failure(host: host, offered: key) {
          throw failure
        }
      }
      bytes = Self.appending(key, host, to: bytes)
    }
    try PrivateFile.write(bytes, to: path)
    return count
  }

  /// The file as it is.
  func file() throws(Failure) -> KnownHostsFile {
    try KnownHostsFile(reading: path, isOwn: true)
  }

  private func check(_ key: HostKey, _ host: HostIdentity) throws(Failure) {
    let name = Visible.text(host.name)
    guard HostIdentity.isRecordable(host.name) else {
      throw Failure(.badUsage, "'\(name)' cannot be used as the name of a host key")
    }
    guard !key.isCertificate else {
      throw Failure(.invalidResponse, "'\(name)' offers a certificate instead of a key")
    }
  }

  /// The bytes with a line for a host after them.
  private static func appending(
    _ key: HostKey, _ host: HostIdentity, to bytes: [UInt8]
  ) -> [UInt8] {
    let isEnded = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
    let line = "\(host.name) \(key.algorithm) \(key.base64)\n"
    return bytes + (isEnded ? [] : [UInt8(ascii: "\n")]) + Array(line.utf8)
  }
}
