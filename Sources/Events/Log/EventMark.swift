import Core
import GRDB
import GRDBSQLite
import Storage

/// What an event log is known by in the bytes of its file: its epoch, in the page where that is kept.
///
/// Queries would find it in a cache, or in the write-ahead log, when the file itself is another one
/// by now. A file that is opened and closed for a look would let go of SQLite's locks on it
/// (https://sqlite.org/howtocorrupt.html, 2.2), so SQLite's own descriptor is read.
struct EventMark {
  private struct Words: Hashable {
    var epoch: [UInt8]
    var page: Int
    var pageSize: Int
  }

  private var words: Words
  /// Whether the page was in the file once: a new log is in the write-ahead log at first.
  private var wasSeen = false

  /// Learns the mark of a log that was opened.
  ///
  /// - Throws: `StorageFailed`.
  init(_ file: DatabaseFile) throws(Failure) {
    words = try Self.words(file)
    guard file.reasonAgainstWriting == nil else { return }
    _ = try isPresent(in: file)
    if wasSeen { return }
    // From now on it can be told by its bytes. Who reads or writes meanwhile has it done later.
    try? file.queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    _ = try isPresent(in: file)
  }

  /// Whether the file is still that log, as far as one can see.
  ///
  /// - Throws: `StorageFailed`.
  mutating func isPresent(in file: DatabaseFile) throws(Failure) -> Bool {
    guard !words.epoch.isEmpty, words.page > 0, words.pageSize > 0 else { return true }
    switch try file.look({ seen($0) }) {
    case .mark:
      wasSeen = true
      return true
    case .nothing: return false
    case .other:
      guard wasSeen, let now = try? Self.words(file), now != words else { return !wasSeen }
      // SQLite moved it, as VACUUM does.
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
    // Each use of a log looks: what the standard library searches with takes half a millisecond.
    return bytes.withUnsafeBufferPointer { ByteSearch(words.epoch).isFound(in: $0) }
      ? .mark : .other
  }
}

extension DatabaseFile {
  /// Keeps SQLite from removing, when it closes this file, what lies beside it by name: that may be
  /// another file's by then.
  func leaveCompanions() {
    // Where this fails, the file is closed in the usual way.
    _ = try? look { connection in
      var isKept: Int32 = 1
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
  }

  /// Does something with the connection that is no query.
  ///
  /// - Throws: `StorageFailed`.
  fileprivate func look<Value>(_ work: (SQLiteConnection?) -> Value) throws(Failure) -> Value {
    queue.inDatabase { work($0.sqliteConnection) }
  }
}
