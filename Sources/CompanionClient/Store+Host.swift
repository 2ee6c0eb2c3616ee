public import Core
import GRDB
public import Signing

extension Store {
  /// The hosts that this machine paired with, by name.
  ///
  /// - Throws: `StorageFailed`.
  public func pairedHosts() throws(Failure) -> [PairedHost] {
    try file.read { try $0.records(PairedHost.self, "SELECT record FROM pairedHost ORDER BY name") }
  }

  /// Keeps a host in place of what was known under its name.
  ///
  /// - Throws: `StorageFailed`.
  public func keep(_ host: PairedHost) throws(Failure) {
    try file.write { database in
      try database.run(
        """
        INSERT INTO pairedHost (name, record) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET record = excluded.record
        """, [host.name, try host.json()])
    }
  }

  /// Forgets a host.
  ///
  /// - Returns: Whether it was there.
  /// - Throws: `StorageFailed`.
  public func forgetHost(_ name: String) throws(Failure) -> Bool {
    try file.write { database in
      try database.run("DELETE FROM pairedHost WHERE name = ?", [name])
      return database.changesCount > 0
    }
  }
}
