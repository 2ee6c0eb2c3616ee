public import Core

/// The prices that a user refreshed: `prices.ndjson` in the data directory, a line each.
///
/// A file of which one line cannot be read is not used at all.
public struct PriceFile: Sendable {
  private static let most = 16 << 20
  private let path: String
  private let lock: String
  let rows: [CatalogueRow]
  /// Why the file is not used; nil if it is, or if there is none.
  public let problem: Failure?

  init() { (path, lock, rows, problem) = ("", "", [], nil) }

  /// Reads the prices of a user.
  public init(_ directories: Directories) {
    path = directories.data + "/prices.ndjson"
    lock = directories.state + "/models.lock"
    (rows, problem) = Self.read(path)
  }

  private static func read(_ path: String) -> ([CatalogueRow], Failure?) {
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(path, atMost: most)
    } catch {
      guard case .missing = error else { return ([], fault(path, error.reason)) }
      return ([], nil)
    }
    var rows: [CatalogueRow] = []
    for (index, line) in file.bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let object = JSONObject(Array(line)) else {
        return ([], fault("\(path):\(index + 1)", "it is not a JSON object"))
      }
      // A later version may keep rows of other types.
      guard object.string("type") == "price" else { continue }
      guard let row = CatalogueRow(object) else {
        return ([], fault("\(path):\(index + 1)", "it has no price that can be"))
      }
      rows.append(row)
    }
    return (rows, nil)
  }

  private static func fault(_ place: String, _ reason: String) -> Failure {
    Failure(
      .badConfiguration,
      "cannot read the prices in '\(place)': \(reason); the built-in prices are used",
      input: place)
  }

  /// Replaces all refreshed prices.
  ///
  /// - Parameter lines: The rows, as JSON objects.
  /// - Throws: `StorageFailed`.
  func replace(by lines: [String]) throws(Failure) {
    let lock = try FileLock.waiting(for: lock)
    defer { withExtendedLifetime(lock) {} }
    try Directories.make(String(path.dropLast("/prices.ndjson".count)))
    try PrivateFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
  }
}
