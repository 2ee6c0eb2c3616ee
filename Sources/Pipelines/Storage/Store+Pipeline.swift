public import Core
package import GRDB
public import Storage

extension Store {
  /// Returns the pipelines with the given status, or all of them if it is nil; the oldest first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func pipelines(status: PipelineStatus? = nil) throws(Failure) -> [Pipeline] {
    try file.read { database in
      try database.records(
        Pipeline.self, "SELECT record FROM pipeline WHERE ? IS NULL OR status = ? ORDER BY id",
        [status?.rawValue, status?.rawValue])
    }
  }

  /// Stores the given plan in place of the stored plan with the same id.
  ///
  /// Stored stages that the given plan lacks are deleted. Their artifacts, calls and gates are
  /// retained.
  ///
  /// - Throws: `StorageFailed` if the plan cannot be stored.
  public func save(_ plan: StoredPipeline) throws(Failure) {
    try file.write { database in
      try database.save(plan.pipeline)
      try database.execute(
        sql: "UPDATE pipeline SET options = ?, isBegun = ? WHERE id = ?",
        arguments: [plan.options, plan.isBegun, plan.pipeline.id])
      let kept = plan.stages.map(\.id)
      let stored = try String.fetchAll(
        database, sql: "SELECT id FROM stage WHERE pipelineId = ?", arguments: [plan.pipeline.id])
      for id in stored where !kept.contains(id) {
        try database.execute(sql: "DELETE FROM stage WHERE id = ?", arguments: [id])
      }
      for stage in plan.stages {
        try database.save(stage)
        try database.execute(
          sql: "UPDATE stage SET askedModel = ? WHERE id = ?",
          arguments: [plan.askedModels[stage.id], stage.id])
      }
      try database.execute(
        sql: "DELETE FROM page WHERE pipelineId = ?", arguments: [plan.pipeline.id])
      for (ordinal, page) in plan.pages.enumerated() {
        try database.execute(
          sql: "INSERT INTO page (pipelineId, ordinal, record) VALUES (?, ?, ?)",
          arguments: [plan.pipeline.id, ordinal, try page.json()])
      }
    }
  }

  /// Returns the pipeline with the given id and its plan; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func pipeline(_ id: String) throws(Failure) -> StoredPipeline? {
    try file.read { database in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT record, options, isBegun FROM pipeline WHERE id = ?",
          arguments: [id])
      else { return nil }
      return StoredPipeline(
        pipeline: try Pipeline(json: row["record"]),
        stages: try database.records(
          Stage.self, "SELECT record FROM stage WHERE pipelineId = ? ORDER BY position, id", [id]),
        pages: try database.records(
          Page.self, "SELECT record FROM page WHERE pipelineId = ? ORDER BY ordinal", [id]),
        options: row["options"], isBegun: row["isBegun"],
        askedModels: try Dictionary(
          Row.fetchAll(
            database,
            sql: """
              SELECT id, askedModel FROM stage WHERE pipelineId = ? AND askedModel IS NOT NULL
              """, arguments: [id]
          ).map { ($0["id"], $0["askedModel"]) }, uniquingKeysWith: { $1 }))
    }
  }

  /// Returns the ids of the pipelines that have started and can resume, the oldest first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func unfinishedPipelines() throws(Failure) -> [String] {
    let pipelines = try file.read { database in
      try database.records(
        Pipeline.self,
        """
        SELECT record FROM pipeline
        WHERE isBegun AND status NOT IN ('completed', 'cancelled') ORDER BY id
        """)
    }
    return pipelines.filter { $0.error?.code != .userRejected }.map(\.id)
  }

  /// Returns the id of the pipeline that contains the given stage; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func pipelineId(ofStage id: String) throws(Failure) -> String? {
    try file.read { database in
      try String.fetchOne(
        database, sql: "SELECT pipelineId FROM stage WHERE id = ?", arguments: [id])
    }
  }

  /// Stores the new state of the given pipeline.
  ///
  /// - Throws: `StorageFailed` if it cannot be stored.
  public func update(_ pipeline: Pipeline) throws(Failure) {
    try file.write { try $0.save(pipeline) }
  }

  /// Stores the new state of the given stage.
  ///
  /// - Throws: `StorageFailed` if it cannot be stored.
  public func update(_ stage: Stage) throws(Failure) {
    try file.write { try $0.save(stage) }
  }

  /// Removes the plan with the given id.
  ///
  /// Its planning calls are retained, but no longer name a pipeline.
  ///
  /// - Throws: `StorageFailed` if the plan cannot be removed.
  package func remove(pipeline id: String) throws(Failure) {
    try file.write { database in
      try database.execute(
        sql: "UPDATE call SET pipelineId = NULL WHERE pipelineId = ?", arguments: [id])
      try database.execute(sql: "DELETE FROM pipeline WHERE id = ?", arguments: [id])
    }
  }
}

extension Pipeline {
  /// Returns the goal of the stored pipeline that contains the given stage; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public static func goal(
    ofStage id: String, in directories: Directories
  ) throws(Failure) -> String? {
    try Store(existingIn: directories)?.file.read { database in
      try database.records(
        Pipeline.self,
        """
        SELECT pipeline.record FROM stage JOIN pipeline ON pipeline.id = stage.pipelineId
        WHERE stage.id = ?
        """, [id]
      ).first?.goal
    }
  }
}

extension Database {
  /// Stores the given new plan.
  package func save(new plan: StoredPipeline) throws {
    try save(plan.pipeline)
    for stage in plan.stages { try save(stage) }
  }

  /// Stores the given pipeline in place of its earlier state.
  func save(_ pipeline: Pipeline) throws {
    try run(
      """
      INSERT INTO pipeline (id, status, record) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET status = excluded.status, record = excluded.record
      """,
      [pipeline.id, pipeline.status.rawValue, try pipeline.json()])
  }

  /// Stores the given stage in place of its earlier state.
  func save(_ stage: Stage) throws {
    try run(
      """
      INSERT INTO stage (id, pipelineId, position, status, record) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET pipelineId = excluded.pipelineId,
        position = excluded.position, status = excluded.status, record = excluded.record
      """,
      [
        stage.id, stage.pipelineId, stage.position, stage.status.rawValue, try stage.json(),
      ])
  }

  /// Stores the given result.
  ///
  /// A result that is already stored is not changed.
  func insert(_ artifact: Artifact) throws {
    try run(
      "INSERT INTO artifact (id, pipelineId, stageId, record) VALUES (?, ?, ?, ?)",
      [artifact.id, artifact.pipelineId, artifact.stageId, try artifact.json()])
  }
}
