public import Core
import Foundation

/// Our own record of host keys, in OpenSSH's known_hosts format.
///
/// Each change writes and syncs a new file under a lock. Lines that are not affected stay the same,
/// byte for byte.
public struct TrustStore: Sendable {
  /// The path of the file.
  public let path: String

  /// Creates a store in the file at the given path.
  ///
  /// The file need not exist yet.
  public init(path: String) { self.path = path }

  /// Creates a store in the file `known_hosts` of the data folder.
  public init(_ directories: Directories) { self.init(path: directories.data + "/known_hosts") }

  /// Records the given key, if no other key is recorded for the host.
  ///
  /// - Returns: `true` if the key was added; `false` if it was already recorded.
  /// - Throws: `SSHHostKeyMismatch` if another key is recorded; `StorageFailed` or
  ///   `PermissionDenied` if the file cannot be changed; `BadUsage` if the host's name cannot be
  ///   recorded.
  public func add(_ key: HostKey, for host: HostIdentity) throws(Failure) -> Bool {
    try check(key, host)
    let lock = try FileLock.waiting(for: path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    let file = try file()
    // A key under the name without the port does not count as recorded.
    let record = HostRecord(sources: [.init(named: try file.statements(on: host.name))])
    switch record.verdict(on: key) {
    case .trusted: return false
    case .unknown: break
    case let verdict:
      if let failure = verdict.failure(host: host, offered: key) { throw failure }
    }
    try PrivateFile.write(Self.appending(key, host, to: file.bytes), to: path)
    return true
  }

  /// Removes the recorded keys of the given host.
  ///
  /// Other hosts on the same lines keep their keys. Revocations also stay.
  ///
  /// - Parameters:
  ///   - host: The host whose keys are removed.
  ///   - key: The key to record in the same step; nil for none.
  /// - Returns: The number of lines that named the host.
  /// - Throws: `SSHHostKeyMismatch` if the given key is revoked; `StorageFailed` or
  ///   `PermissionDenied` if the file cannot be changed; `BadUsage` if the host's name cannot be
  ///   recorded.
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
        try read.names.answer(name) != .isNotNamed
      {
        count += 1
        if let rest = read.withoutName(name) { bytes += rest + end }
      } else {
        bytes += line + end
      }
    }
    guard count > 0 || key != nil else { return 0 }
    if let key {
      let rest = try KnownHostsFile(path: path, bytes: bytes).statements(on: host.name)
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

  /// Returns the current contents of the file.
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

  /// Returns the given bytes with a line for the host's key appended.
  private static func appending(
    _ key: HostKey, _ host: HostIdentity, to bytes: [UInt8]
  ) -> [UInt8] {
    let isEnded = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
    let line = "\(host.name) \(key.algorithm) \(key.base64)\n"
    return bytes + (isEnded ? [] : [UInt8(ascii: "\n")]) + Array(line.utf8)
  }
}
