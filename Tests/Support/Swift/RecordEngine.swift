import Core
package import Storage

/// The engines that store records: tests run with each of them.
package enum RecordEngine: String, CaseIterable, Sendable {
  /// An SQLite file in the data folder of a home.
  case sqlite
  /// A database of a PostgreSQL server, one for each home.
  case postgres

  /// The engines that are installed.
  package static var allCases: [RecordEngine] {
    PostgresServer.isInstalled ? [.sqlite, .postgres] : [.sqlite]
  }

  /// The name of the type of bytes.
  package var blob: String {
    switch self {
    case .sqlite: "BLOB"
    case .postgres: "BYTEA"
    }
  }

  /// Opens a base with the tables of `store.db`, which are empty the first time.
  package func base(in home: Home) throws -> any RecordBase {
    switch self {
    case .sqlite: try Store(home.directories).base
    case .postgres: try PostgresServer.shared.get().base(in: home)
    }
  }

  /// Opens a store on such a base, whose runners hold locks in the state folder of the home.
  package func store(in home: Home) throws -> Store {
    Store(try base(in: home), locks: home.directories.state)
  }
}
