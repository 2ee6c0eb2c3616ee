public import Core

extension Store {
  /// Returns the artifacts that the given pipeline produced, from oldest to newest.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func artifacts(of pipelineId: String) throws(Failure) -> [Artifact] {
    try base.read { rows in
      try rows.records(
        Artifact.self, "SELECT record FROM artifact WHERE pipelineId = ? ORDER BY id",
        [pipelineId])
    }
  }

  /// Records the path of the file that the given artifact was exported to.
  ///
  /// If the store does not have the artifact, nothing changes.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func setFilePath(_ path: String, ofArtifact id: String) throws(Failure) {
    try base.write { rows in
      guard
        var artifact = try rows.record(
          Artifact.self, "SELECT record FROM artifact WHERE id = ?", [id])
      else { return }
      artifact.filePath = path
      try rows.run("UPDATE artifact SET record = ? WHERE id = ?", [try artifact.json(), id])
    }
  }
}
