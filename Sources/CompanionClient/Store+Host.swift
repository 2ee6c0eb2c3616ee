public import Core
public import Storage

extension Store {
  /// Returns the hosts with which this machine has paired, sorted by name.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func pairedHosts() throws(Failure) -> [PairedHost] {
    try base.read { try $0.records(PairedHost.self, "SELECT record FROM pairedHost ORDER BY name") }
  }

  /// Stores the given host in place of any host with the same name.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func store(_ host: PairedHost) throws(Failure) {
    try base.write { rows in
      _ = try rows.run(
        """
        INSERT INTO pairedHost (name, record) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET record = excluded.record
        """, [host.name, try host.json()])
    }
  }

  /// Deletes the host with the given name.
  ///
  /// - Returns: `true` if the host existed.
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func forgetHost(_ name: String) throws(Failure) -> Bool {
    try base.write { try $0.run("DELETE FROM pairedHost WHERE name = ?", [name]) > 0 }
  }
}
