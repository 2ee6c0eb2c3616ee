import CodingAgents
import Core
import Foundation

/// The stored states of sessions and the positions in their files, each in a file of its own.
struct AdoptedFiles: Sendable {
  /// The time after which an unused file is removed, in seconds.
  private static let longest = 60.0 * 86_400
  private static let largest = 64 << 20

  private let folder: String

  /// Creates the files in the folder of states.
  init(_ directories: Directories) { folder = directories.state + "/adopted" }

  private func path(_ kind: String, _ name: String) -> String {
    "\(folder)/\(kind)/\(SHA256Digest.hexadecimal(Array(name.utf8)).prefix(32)).json"
  }

  /// Returns the stored value; nil if there is none, or if it cannot be understood.
  func load<Value: Decodable>(_ type: Value.Type, _ kind: String, _ name: String) -> Value? {
    guard let bytes = try? PrivateFile.read(path(kind, name)) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// Stores the given value.
  ///
  /// - Throws: `StorageFailed` if it cannot be written.
  func save(_ value: some Encodable, _ kind: String, _ name: String) throws(Failure) {
    try Directories.make("\(folder)/\(kind)")
    let path = path(kind, name)
    guard let data = try? JSONEncoder().encode(value) else {
      throw Failure(.storageFailed, "cannot write '\(path)'", input: path)
    }
    // The file is not made durable: if it is lost, the session is read again, and the source ids of
    // its events remove the duplicates.
    // The caller holds the lock, so nobody else writes this file.
    let file = Descriptor(
      open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600))
    guard file.isOpen, file.write(Array(data)), rename(path + ".new", path) == 0 else {
      throw Failure(
        .storageFailed, "cannot write '\(path)': \(String(cString: strerror(errno)))", input: path)
    }
  }

  /// Returns all stored values of the given kind.
  func all<Value: Decodable>(_ type: Value.Type, _ kind: String) -> [Value] {
    paths(kind).compactMap { path in
      guard let file = try? PlainFile(path, atMost: Self.largest) else { return nil }
      return try? JSONDecoder().decode(type, from: Data(file.bytes))
    }
  }

  private func paths(_ kind: String) -> [String] {
    let names = Descriptor.names(in: "\(folder)/\(kind)") ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\(kind)/\($0)" }
  }

  /// Removes files that were not written for a long time.
  func removeOld(_ kinds: [String], at now: Timestamp) {
    for path in kinds.flatMap(paths) {
      guard let changed = FileTime.changed(path), now.seconds(since: changed) > Self.longest else {
        continue
      }
      unlink(path)
    }
  }
}
