import GRDB

extension Store {
  /// The results of a pipeline, the oldest first.
  ///
  /// - Throws: `StorageFailed`.
  public func artifacts(of pipelineId: String) throws(Failure) -> [Artifact] {
    try file.read { database in
      try database.records(
        Artifact.self, "SELECT record FROM artifact WHERE pipelineId = ? ORDER BY id",
        [pipelineId])
    }
  }

  /// Notes the file that an artifact was exported to, if the artifact is known here.
  ///
  /// - Throws: `StorageFailed`.
  public func setFilePath(_ path: String, ofArtifact id: String) throws(Failure) {
    try file.write { database in
      guard
        var artifact = try database.record(
          Artifact.self, "SELECT record FROM artifact WHERE id = ?", [id])
      else { return }
      artifact.filePath = path
      try database.execute(
        sql: "UPDATE artifact SET record = ? WHERE id = ?", arguments: [try artifact.json(), id])
    }
  }
}
