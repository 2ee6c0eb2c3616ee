/// A transaction runs statements and asks the file system nothing: the files of SQL name no lock and
/// no file, and say what both engines understand.
struct StoreRule {
  /// Words for the file system.
  static let files = ["FileLock", "FileManager", "Descriptor", "access(", "stat(", "flock("]
  /// SQL that PostgreSQL 15 does not understand; `Dialect.swift` has what differs.
  static let dialect = [
    "INSERT OR ", "REPLACE INTO", "INDEXED BY", "json_extract", "PRAGMA", "LIMIT -1", "?1",
    "lastInsertedRowID", "IFNULL(", "ifnull(",
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.target != nil, isOfSQL(file.path) else { return [] }
    return file.code.flatMap { line -> [Violation] in
      files.filter { line.text.holds(phrase: $0) }.map {
        Violation(path: file.path, line: line.number, reason: "'\($0)' is no part of a transaction")
      }
        + dialect.filter(line.text.contains).map {
          Violation(path: file.path, line: line.number, reason: "'\($0)' is of one engine alone")
        }
    }
  }

  private static func isOfSQL(_ path: String) -> Bool {
    path.split(separator: "/").last?.hasPrefix("Store+") ?? false
  }
}
