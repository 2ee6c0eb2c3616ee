import Core
package import Storage

/// The engines that keep records: what holds for one of them is tested with each.
package enum RecordEngine: String, CaseIterable, Sendable {
  /// A file in the data folder of a home.
  case sqlite

  /// A base with the tables of `store.db`, which are empty the first time.
  package func base(in home: Home) throws -> any RecordBase {
    switch self {
    case .sqlite: try Store(home.directories).base
    }
  }

  /// A store on such a base, whose runners hold locks in the state folder of the home.
  package func store(in home: Home) throws -> Store {
    Store(try base(in: home), locks: home.directories.state)
  }
}
