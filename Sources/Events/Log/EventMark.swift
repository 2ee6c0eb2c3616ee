import Core
import GRDB
import GRDBSQLite
import Storage

/// The mark by which an event log is recognized in its file's bytes: its epoch, in the page that
/// holds it.
///
/// A query may find the epoch in a cache or in the write-ahead log even if the file was replaced.
/// Opening and closing the file to check it would release SQLite's locks
/// (https://sqlite.org/howtocorrupt.html, 2.2), so SQLite's own descriptor is read.
struct EventMark {
  private struct Words: Hashable {
    var epoch: [UInt8]
    var page: Int
    var pageSize: Int
  }

  private var words: Words
  /// `true` if the page was seen in the file: a new log is only in the write-ahead log at first.
  private var wasSeen = false

  /// Reads the mark of an open log.
  ///
  /// - Throws: `StorageFailed`.
  init(_ file: DatabaseFile) throws(Failure) {
    words = try Self.words(file)
    guard file.reasonAgainstWriting == nil else { return }
    _ = try isPresent(in: file)
    if wasSeen { return }
    // The checkpoint moves the page into the file. If another process is reading or writing, a
    // later one does.
    try? file.queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    _ = try isPresent(in: file)
  }

  /// Returns `true` if the file is still the same log, as far as its bytes show.
  ///
  /// - Throws: `StorageFailed`.
  mutating func isPresent(in file: DatabaseFile) throws(Failure) -> Bool {
    guard !words.epoch.isEmpty, words.page > 0, words.pageSize > 0 else { return true }
    switch try file.withConnection({ seen($0) }) {
    case .mark:
      wasSeen = true
      return true
    case .nothing: return false
    case .other:
      guard wasSeen, let now = try? Self.words(file), now != words else { return !wasSeen }
      // SQLite moved the page, for example in a VACUUM.
      words = now
      wasSeen = false
      return true
    }
  }

  private static func words(_ file: DatabaseFile) throws(Failure) -> Words {
    let row: Row? = try file.read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT epoch, (SELECT rootpage FROM sqlite_master WHERE name = 'log') AS page,
            (SELECT page_size FROM pragma_page_size) AS size FROM log
          """)
    }
    return Words(
      epoch: Array(((row?["epoch"] as String?) ?? "").utf8), page: row?["page"] ?? 0,
      pageSize: row?["size"] ?? 0)
  }

  private enum Seen {
    case mark, nothing, other
  }

  private func seen(_ connection: SQLiteConnection?) -> Seen {
    var handle: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &handle) {
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let handle, let methods = handle.pointee.pMethods else { return .mark }
    var size: sqlite3_int64 = 0
    guard methods.pointee.xFileSize(handle, &size) == SQLITE_OK else { return .mark }
    if size == 0 { return .nothing }
    var bytes = [UInt8](repeating: 0, count: words.pageSize)
    let offset = sqlite3_int64(words.page - 1) * sqlite3_int64(words.pageSize)
    guard methods.pointee.xRead(handle, &bytes, Int32(words.pageSize), offset) == SQLITE_OK else {
      return .other
    }
    // Each use of a log does this search, and the standard library would take half a millisecond
    // for it.
    return bytes.withUnsafeBufferPointer { ByteSearch(words.epoch).isFound(in: $0) }
      ? .mark : .other
  }
}

extension DatabaseFile {
  /// Makes SQLite leave the files beside this one when it closes: by then they may belong to
  /// another log.
  func preserveCompanions() {
    // If this fails, the file is closed as usual.
    _ = try? withConnection { connection in
      var isKept: Int32 = 1
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
  }

  /// Runs work with the connection outside of a query.
  ///
  /// - Throws: `StorageFailed`.
  fileprivate func withConnection<Value>(_ work: (SQLiteConnection?) -> Value) throws(Failure)
    -> Value
  {
    queue.inDatabase { work($0.sqliteConnection) }
  }
}
