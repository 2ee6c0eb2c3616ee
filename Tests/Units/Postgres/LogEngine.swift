import Core
import Events
import GRDB
import Postgres
import TestSupport

/// The engines that store events: tests run with each of them.
enum LogEngine: String, CaseIterable, Sendable {
  case sqlite, postgres

  /// A log that can be read, written and bounded.
  typealias Log = any EventEngine & EventRetention

  /// The engines that are installed.
  static var allCases: [LogEngine] {
    PostgresServer.isInstalled ? [.sqlite, .postgres] : [.sqlite]
  }

  /// The number of events that each partition has in the tests of bounds.
  static let span = 10

  /// Opens the log in the given home, over connections of its own.
  func open(in home: Home) throws -> Log {
    switch self {
    case .sqlite: try EventLog(home.directories)
    case .postgres: try PostgresLog(PostgresServer.shared.get().base(in: home))
    }
  }

  /// Makes partitions of ``span`` events, before the first event of the log is stored.
  func usePartitions(in home: Home) throws {
    guard self == .postgres else { return }
    try run("UPDATE eventLog SET span = \(Self.span)", in: home)
  }

  /// Makes the log refuse events whose lines contain the word `refused`.
  func refuseSome(in home: Home) throws {
    switch self {
    case .sqlite:
      let database = try DatabaseQueue(path: EventLog.path(home.directories))
      try database.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER refusing BEFORE INSERT ON event WHEN NEW.record LIKE '%refused%'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
      }
    case .postgres:
      try run(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'refused'; END $$;
        CREATE TRIGGER refusing BEFORE INSERT ON event FOR EACH ROW
          WHEN (NEW.record LIKE '%refused%') EXECUTE FUNCTION refuse()
        """, in: home)
    }
  }

  /// Runs a statement in the database of the given home.
  @discardableResult
  func run(_ statement: String, in home: Home) throws -> String {
    let server = try PostgresServer.shared.get()
    return try server.run(statement, in: server.database(of: home))
  }
}
