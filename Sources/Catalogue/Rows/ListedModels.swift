public import Core

/// A cache of the lists of models that the providers themselves publish.
///
/// It contains the latest version of each list.
public struct ListedModels: Sendable {
  private static let most = 16 << 20
  private let path: String
  private let lock: String

  /// Creates access to the cache in the given directories.
  ///
  /// The cache is not read yet.
  public init(_ directories: Directories) {
    path = directories.cache + "/models.ndjson"
    lock = directories.state + "/models.lock"
  }

  /// Returns the cached records.
  ///
  /// Lines that cannot be read are skipped.
  public func records() -> [ModelRecord] { read().records }

  /// Returns the cached records.
  ///
  /// If a line cannot be read, a failure that names the first such line is returned, too.
  func read() -> (records: [ModelRecord], problem: Failure?) {
    guard let file = try? PlainFile(path, atMost: Self.most) else { return ([], nil) }
    var records: [ModelRecord] = []
    var problem: Failure?
    for (index, line) in file.bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      if let raw = try? RawRecord(line: Array(line)) {
        // A later version may add records of other types.
        guard raw.type == ModelRecord.type else { continue }
        if let record = try? ModelRecord(raw) {
          records.append(record)
          continue
        }
      }
      let place = "\(path):\(index + 1)"
      problem =
        problem
        ?? Failure(
          .badConfiguration,
          "cannot read a model in '\(place)': the line is ignored",
          input: place, nextStep: "run 'model-list refresh' to replace the list")
    }
    return (records, problem)
  }

  /// Replaces the cached models of the given provider.
  ///
  /// - Throws: `StorageFailed` if the cache cannot be written.
  public func replace(_ provider: String, by records: [ModelRecord]) throws(Failure) {
    let lock = try FileLock.waiting(for: lock)
    defer { withExtendedLifetime(lock) {} }
    let all = self.records().filter { $0.provider != provider } + records
    var bytes: [UInt8] = []
    for record in all { bytes += try record.line() + [UInt8(ascii: "\n")] }
    guard bytes.count <= Self.most else {
      throw Failure(
        .invalidResponse, "the model list from '\(provider)' is too large for the cache")
    }
    try Directories.make(String(path.dropLast("/models.ndjson".count)))
    try PrivateFile.write(bytes, to: path)
  }
}
