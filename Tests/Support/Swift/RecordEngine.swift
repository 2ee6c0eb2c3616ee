import Core
package import Storage

/// The engines that store records: tests run with each of them.
package enum RecordEngine: String, CaseIterable, Sendable {
  /// An SQLite file in the data folder of a home.
  case sqlite

  /// Opens a base with the tables of `store.db`, which are empty the first time.
  package func base(in home: Home) throws -> any RecordBase {
    switch self {
    case .sqlite: try Store(home.directories).base
    }
  }

  /// Opens a store on such a base, whose runners hold locks in the state folder of the home.
  package func store(in home: Home) throws -> Store {
    Store(try base(in: home), locks: home.directories.state)
  }
}
