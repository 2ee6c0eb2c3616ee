import Core
import Foundation
import GRDB
import Storage

/// A SQLite file of another program, opened for reading only.
///
/// While another process has the file open, it is read with its write-ahead log. If the log is
/// missing or empty, SQLite would create it and its shared memory. The file is then opened as
/// immutable, without locks, and a query is repeated if the file changed meanwhile.
struct ForeignDatabase {
  /// The largest number of attempts to read an immutable file.
  private static let attempts = 3

  private let place: DatabasePlace
  private var queue: DatabaseQueue
  /// The state of a file that was opened as immutable; nil for another one.
  private var look: DatabasePlace.Look?

  /// Opens the file.
  init(_ path: String) throws {
    place = DatabasePlace(path: path)
    look = place.look.flatMap { $0.hasLog ? nil : $0 }
    queue = try Self.opened(look == nil ? path : place.unchangingName)
  }

  private static func opened(_ name: String) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: name, configuration: configuration)
  }

  /// Runs a query in a transaction.
  mutating func read<Value>(_ query: (Database) throws -> Value) throws -> Value {
    for _ in 0..<Self.attempts {
      let result = Result { try queue.read(query) }
      guard let look, look != place.look else { return try result.get() }
      self = try ForeignDatabase(place.path)
    }
    (queue, look) = (try Self.opened(place.path), nil)
    return try queue.read(query)
  }
}
