public import Core
import Foundation
import Synchronization

/// A cache of the request parameters that models have rejected.
///
/// A rejected parameter is not sent to the same model again. The file may be deleted at any time.
public final class LearnedRefusals: Sendable {
  private static let most = 1 << 20
  private let path: String?
  private let lock: String
  private let known: Mutex<[Row]>

  private struct Row: Codable, Hashable, Sendable {
    var provider: String
    var name: String
    /// The base URL of the server that rejected the parameter.
    var endpoint: String?
    var parameters: [String]
  }

  init() {
    (path, lock) = (nil, "")
    known = Mutex([])
  }

  /// Reads the cache in the given directories.
  ///
  /// Lines that cannot be read are skipped.
  public init(_ directories: Directories) {
    path = directories.cache + "/refusals.ndjson"
    lock = directories.state + "/models.lock"
    known = Mutex(Self.rows(directories.cache + "/refusals.ndjson"))
  }

  private static func rows(_ path: String) -> [Row] {
    guard let file = try? PlainFile(path, atMost: most) else { return [] }
    return file.bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try? JSONDecoder().decode(Row.self, from: Data(line))
    }
  }

  /// Returns the parameters that the given model rejected.
  ///
  /// - Parameters:
  ///   - provider: The model's provider.
  ///   - name: The model's name.
  ///   - base: The base URL of the model's server, without secrets.
  /// - Returns: The names of the parameters, as requests contain them.
  public func parameters(_ provider: String, _ name: String, at base: String?) -> Set<String> {
    let rows = known.withLock(\.self)
    return Set(
      rows.filter { $0.provider == provider && $0.name == name && $0.endpoint == base }
        .flatMap(\.parameters))
  }

  /// Records that the given model rejects the given parameter.
  ///
  /// - Parameters:
  ///   - parameter: The name of the parameter, as requests contain it.
  ///   - provider: The model's provider.
  ///   - name: The model's name.
  ///   - base: The base URL of the model's server, without secrets.
  /// - Throws: `StorageFailed` if the cache cannot be written.
  public func remember(
    _ parameter: String, of provider: String, _ name: String, at base: String?
  ) throws(Failure) {
    guard let path else { return }
    let lock = try FileLock.waiting(for: lock)
    defer { withExtendedLifetime(lock) {} }
    var rows = Self.rows(path)
    var row = Row(provider: provider, name: name, endpoint: base, parameters: [])
    if let place = rows.firstIndex(where: {
      $0.provider == provider && $0.name == name && $0.endpoint == base
    }) {
      row = rows.remove(at: place)
    }
    row.parameters = Set(row.parameters + [parameter]).sorted()
    rows.append(row)
    known.withLock { [rows] in $0 = rows }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes: [UInt8] = []
    // Only the newest refusals are stored. A dropped one is learned again when it recurs.
    for row in rows.suffix(1000) {
      guard let line = try? encoder.encode(row) else { continue }
      bytes += Array(line) + [UInt8(ascii: "\n")]
    }
    try Directories.make(String(path.dropLast("/refusals.ndjson".count)))
    try PrivateFile.write(bytes, to: path)
  }
}
