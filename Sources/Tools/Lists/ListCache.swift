import Core
import Foundation

/// The stored lists of tools, a private file for each configuration of a server.
///
/// A list that cannot be read or written is only missing: the server is asked again.
struct ListCache: Sendable {
  private let folder: String

  init(_ directories: Directories) { folder = directories.cache + "/tools" }

  private func path(_ digest: String) -> String { "\(folder)/\(digest).json" }

  /// Returns the list of the configuration with the given digest; nil if there is none.
  func list(_ digest: String) -> CachedList? {
    guard let bytes = (try? PrivateFile.read(path(digest))) ?? nil else { return nil }
    return try? RecordJSON.decode(CachedList.self, from: bytes)
  }

  /// Stores the given list.
  ///
  /// - Throws: `StorageFailed` if it cannot be written.
  func store(_ list: CachedList, _ digest: String) throws(Failure) {
    guard let bytes = try? RecordJSON.line(of: list) else { return }
    try Directories.make(folder)
    try PrivateFile.write(bytes, to: path(digest))
  }

  /// Removes the list of the configuration with the given digest.
  func remove(_ digest: String) { unlink(path(digest)) }

  /// Returns the full names of the tools in all stored lists, for completions.
  static func names(in directories: Directories) -> [String] {
    let cache = ListCache(directories)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: cache.folder)) ?? []
    let lists = files.prefix(200).filter { $0.hasSuffix(".json") }
      .compactMap { cache.list(String($0.dropLast(5))) }
    return Set(lists.flatMap { $0.tools.map(\.fullName) }).sorted()
  }
}
