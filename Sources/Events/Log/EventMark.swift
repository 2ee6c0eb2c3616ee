import Core
import GRDB
import GRDBSQLite
import Storage

/// A mark that identifies an event log in its file: the page that contains the log's epoch.
///
/// A query may find the epoch in a cache or in the write-ahead log although the file was replaced.
/// The bytes of the file are therefore read. They are read through SQLite's own descriptor, because
/// opening and closing the file would release SQLite's locks (https://sqlite.org/howtocorrupt.html,
/// 2.2).
struct EventMark {
  private struct Words: Hashable {
    var epoch: [UInt8]
    var page: Int
    var pageSize: Int
  }

  private var words: Words
  /// `true` if the page was found in the file.
  ///
  /// At first, the page of a new log is only in the write-ahead log.
  private var wasSeen = false

  /// Reads the mark of the given open log.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  init(_ file: DatabaseFile) throws(Failure) {
    words = try Self.words(file)
    guard file.reasonAgainstWriting == nil else { return }
    _ = try isPresent(in: file)
    if wasSeen { return }
    // The checkpoint moves the page into the file. While another process reads or writes, it may
    // fail; then a later checkpoint moves the page.
    try? file.queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    _ = try isPresent(in: file)
  }

  /// Returns `false` if the bytes of the file show that it is another log.
  ///
  /// - Throws: `StorageFailed` if the file cannot be read.
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
    // This search runs on each use of a log, and would take the standard library half a
    // millisecond.
    return bytes.withUnsafeBufferPointer { ByteSearch(words.epoch).isFound(in: $0) }
      ? .mark : .other
  }
}

extension DatabaseFile {
  /// Makes SQLite keep the files beside the log when it closes the log.
  ///
  /// These files may belong to another log by then.
  func preserveCompanions() {
    // If this fails, SQLite closes the file as usual.
    _ = try? withConnection { connection in
      var isKept: Int32 = 1
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
  }

  /// Runs `work` with the connection, outside of a query.
  ///
  /// - Throws: `StorageFailed` if the connection cannot be used.
  fileprivate func withConnection<Value>(_ work: (SQLiteConnection?) -> Value) throws(Failure)
    -> Value
  {
    queue.inDatabase { work($0.sqliteConnection) }
  }
}
