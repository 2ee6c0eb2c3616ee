public import Core

/// The prices that the user refreshed.
///
/// They are in the file `prices.ndjson` in the data directory, one row per line. If a line cannot
/// be read, the whole file is ignored.
public struct PriceFile: Sendable {
  private static let most = 16 << 20
  private let path: String
  private let lock: String
  let rows: [CatalogueRow]
  /// The reason why the file is ignored; nil if it is used or does not exist.
  public let problem: Failure?

  init() { (path, lock, rows, problem) = ("", "", [], nil) }

  /// Reads the prices in the given directories.
  public init(_ directories: Directories) {
    path = directories.data + "/prices.ndjson"
    lock = directories.state + "/models.lock"
    (rows, problem) = Self.read(path)
  }

  private static func read(_ path: String) -> ([CatalogueRow], Failure?) {
    let (lines, problem) = lines(path)
    return (lines.compactMap(\.row), problem)
  }

  /// A line and its decoded row.
  ///
  /// The row is nil if it is of another type.
  private typealias Line = (text: ArraySlice<UInt8>, row: CatalogueRow?)

  private static func lines(_ path: String) -> ([Line], Failure?) {
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(path, atMost: most)
    } catch {
      guard case .missing = error else { return ([], fault(path, error.reason)) }
      return ([], nil)
    }
    var lines: [Line] = []
    for (index, line) in file.bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let object = JSONObject(Array(line)) else {
        return ([], fault("\(path):\(index + 1)", "it is not a JSON object"))
      }
      // A later version may add rows of other types.
      guard object.string("type") == "price" else {
        lines.append((line, nil))
        continue
      }
      guard let row = CatalogueRow(object) else {
        return ([], fault("\(path):\(index + 1)", "it has no valid price"))
      }
      lines.append((line, row))
    }
    return (lines, nil)
  }

  private static func fault(_ place: String, _ reason: String) -> Failure {
    Failure(
      .badConfiguration,
      "cannot read the prices in '\(place)': \(reason); using the built-in prices",
      input: place)
  }

  /// Replaces rows atomically.
  ///
  /// Other processes see either the old rows or the new ones. If the file cannot be read, the new
  /// rows replace all of it, because none of its rows is in use.
  ///
  /// - Parameters:
  ///   - rows: The new rows, each as a JSON object.
  ///   - isReplaced: A function that returns `true` if the given old row must be removed.
  /// - Throws: `StorageFailed` if the file cannot be written.
  func replace(
    by rows: [String], where isReplaced: (CatalogueRow) -> Bool
  ) throws(Failure) {
    let lock = try FileLock.waiting(for: lock)
    defer { withExtendedLifetime(lock) {} }
    var bytes: [UInt8] = []
    for line in Self.lines(path).0 where !(line.row.map(isReplaced) ?? false) {
      bytes += line.text + [UInt8(ascii: "\n")]
    }
    for row in rows { bytes += Array(row.utf8) + [UInt8(ascii: "\n")] }
    guard bytes.count <= Self.most else {
      throw Failure(
        .storageFailed, "cannot write '\(path)': the file would be too large", kind: .tooLarge,
        input: path)
    }
    try Directories.make(String(path.dropLast("/prices.ndjson".count)))
    try PrivateFile.write(bytes, to: path)
  }
}
