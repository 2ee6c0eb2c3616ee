extension PostgresSchema {
  /// The type of texts, which are compared by their bytes as SQLite compares them.
  private static let text = "text COLLATE \"C\""
  /// The type of a number that the database assigns to a new row.
  private static let assigned = "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"

  /// The script that creates version 1.
  static let firstTables = [counts, pipelines, gates, audit, agents, watching, devices]
    .joined(separator: ";\n")

  /// The version of the tables, and the number of changes that were committed.
  private static let counts = """
    CREATE TABLE schemaVersion (version bigint NOT NULL);
    CREATE TABLE changeCount (value bigint NOT NULL);
    INSERT INTO changeCount VALUES (0)
    """

  private static let pipelines = """
    CREATE TABLE pipeline (
      id \(text) PRIMARY KEY, status \(text) NOT NULL, isBegun bigint NOT NULL DEFAULT 0,
      options \(text), record \(text) NOT NULL);
    CREATE TABLE artifact (
      id \(text) PRIMARY KEY, pipelineId \(text) NOT NULL REFERENCES pipeline ON DELETE CASCADE,
      stageId \(text) NOT NULL, record \(text) NOT NULL);
    CREATE INDEX artifactByPipeline ON artifact (pipelineId);
    CREATE TABLE call (
      id \(text) PRIMARY KEY, pipelineId \(text) REFERENCES pipeline ON DELETE CASCADE,
      stageId \(text), answerId \(text), model \(text) NOT NULL, outcome \(text) NOT NULL,
      startedAt bigint NOT NULL, finishedAt bigint, usage \(text), costUSD double precision,
      estimatedTokens bigint, estimatedCostUSD double precision, sealed bytea);
    CREATE INDEX callByPipeline ON call (pipelineId);
    CREATE INDEX callByAnswer ON call (answerId)
    """

  private static let gates = """
    CREATE TABLE gate (
      id \(text) PRIMARY KEY, pipelineId \(text), stageId \(text), status \(text) NOT NULL,
      expiresAt bigint, record \(text) NOT NULL);
    CREATE INDEX gateByStatus ON gate (status);
    CREATE INDEX gateByStage ON gate (stageId, id);
    CREATE TABLE decision (
      sequence \(assigned), gateId \(text) NOT NULL, requestId \(text) NOT NULL UNIQUE,
      isWinner bigint NOT NULL, record \(text) NOT NULL);
    CREATE INDEX decisionByGate ON decision (gateId, sequence);
    CREATE TABLE gateDevice (gateId \(text) PRIMARY KEY, deviceId \(text) NOT NULL);
    CREATE INDEX gateDeviceByDevice ON gateDevice (deviceId);
    CREATE TABLE gateHub (
      gateId \(text) PRIMARY KEY, hub \(text) NOT NULL, isHeld bigint NOT NULL DEFAULT 0,
      isTold bigint NOT NULL DEFAULT 0)
    """

  private static let audit = """
    CREATE TABLE audit (
      sequence \(assigned), ts bigint NOT NULL, target \(text) NOT NULL, id \(text) NOT NULL,
      action \(text) NOT NULL, requestId \(text) NOT NULL, actor \(text) NOT NULL,
      reason \(text), outcome \(text) NOT NULL, replayed bigint NOT NULL DEFAULT 0);
    CREATE INDEX auditByRequest ON audit (requestId);
    CREATE INDEX auditByActor ON audit (actor, ts);
    CREATE FUNCTION auditIsAddedTo() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the audit is only added to'; END $$;
    CREATE TRIGGER auditIsNotChanged BEFORE UPDATE OR DELETE ON audit
      FOR EACH ROW EXECUTE FUNCTION auditIsAddedTo();
    CREATE TRIGGER auditIsNotEmptied BEFORE TRUNCATE ON audit
      FOR EACH STATEMENT EXECUTE FUNCTION auditIsAddedTo()
    """

  private static let agents = """
    CREATE TABLE runner (
      agentId \(text) PRIMARY KEY, swarmId \(text), sessionId \(text) NOT NULL,
      lock \(text) NOT NULL, leaseUntil bigint NOT NULL DEFAULT 0);
    CREATE INDEX runnerBySwarm ON runner (swarmId);
    CREATE INDEX runnerByLock ON runner (lock);
    CREATE TABLE control (
      requestId \(text) PRIMARY KEY, target \(text) NOT NULL, id \(text) NOT NULL,
      record \(text) NOT NULL);
    CREATE TABLE delivery (
      requestId \(text) NOT NULL REFERENCES control, agentId \(text) NOT NULL,
      sessionId \(text) NOT NULL, outcome \(text), PRIMARY KEY (requestId, agentId));
    CREATE INDEX deliveryByAgent ON delivery (agentId, requestId) WHERE outcome IS NULL
    """

  private static let watching = """
    CREATE TABLE watched (
      kind \(text) NOT NULL, id \(text) NOT NULL, parent \(text), updatedAt bigint NOT NULL,
      liveUntil bigint, fullness double precision, redundancy double precision,
      record \(text) NOT NULL, PRIMARY KEY (kind, id));
    CREATE INDEX watchedByParent ON watched (kind, parent);
    CREATE INDEX watchedByAge ON watched (kind, updatedAt);
    CREATE INDEX watchedLive ON watched (kind, liveUntil) WHERE liveUntil IS NOT NULL;
    CREATE INDEX watchedFull ON watched (kind, fullness) WHERE fullness IS NOT NULL;
    CREATE INDEX watchedRedundant ON watched (kind, redundancy) WHERE redundancy IS NOT NULL;
    CREATE TABLE incidentEvent (
      incidentId \(text) NOT NULL, sequence bigint NOT NULL, record \(text) NOT NULL,
      PRIMARY KEY (incidentId, sequence));
    CREATE TABLE watchedUpTo (eventId \(text) NOT NULL);
    CREATE TABLE threshold (
      kind \(text) NOT NULL, id \(text) NOT NULL, value double precision NOT NULL,
      PRIMARY KEY (kind, id))
    """

  private static let devices = """
    CREATE TABLE device (
      id \(text) PRIMARY KEY, publicKey bytea NOT NULL, pushToken \(text),
      generation bigint NOT NULL, revokedAt bigint, record \(text) NOT NULL);
    CREATE TABLE deviceCode (
      word \(text) PRIMARY KEY, digest bytea NOT NULL, tries bigint NOT NULL,
      scope \(text) NOT NULL, name \(text), expiresAt bigint NOT NULL);
    CREATE TABLE deviceToken (
      handle bigint PRIMARY KEY, digest bytea NOT NULL,
      deviceId \(text) NOT NULL REFERENCES device, generation bigint NOT NULL,
      isRefresh bigint NOT NULL, expiresAt bigint NOT NULL, spentAt bigint);
    CREATE INDEX deviceTokenByDevice ON deviceToken (deviceId, generation);
    CREATE TABLE companion (
      deviceId \(text) PRIMARY KEY REFERENCES device, address \(text) NOT NULL, connectedAt bigint,
      signsSince bigint, codeDigest bytea NOT NULL, codeUntil bigint NOT NULL,
      forgottenUntil bigint NOT NULL DEFAULT 0);
    CREATE TABLE companionNonce (
      deviceId \(text) NOT NULL, nonce \(text) NOT NULL, at bigint NOT NULL,
      created bigint NOT NULL DEFAULT 0, PRIMARY KEY (deviceId, nonce));
    CREATE TABLE companionGuess (id \(assigned), at bigint NOT NULL);
    CREATE TABLE pairedHost (name \(text) PRIMARY KEY, record \(text) NOT NULL)
    """

  /// The number of the latest commits that can be looked up.
  static let marks = 4096

  /// The script that creates version 3: what else hubs share, which are the wrong codes of each
  /// limit, the numbers of leases, the position of forwarding, and the marks of the latest commits.
  static let shared = """
    ALTER TABLE companionGuess ADD COLUMN name \(text) NOT NULL DEFAULT 'pairing';
    ALTER TABLE runner ADD COLUMN number bigint NOT NULL DEFAULT 0;
    CREATE TABLE forwarded (collector \(text) PRIMARY KEY, eventId \(text) NOT NULL);
    CREATE TABLE commitMark (slot bigint PRIMARY KEY, mark text NOT NULL) WITH (fillfactor = 50);
    INSERT INTO commitMark SELECT slot, '' FROM generate_series(0, \(marks - 1)) AS slot
    """

  /// The script that creates version 4: the device of an entry of the audit.
  static let auditedDevices = "ALTER TABLE audit ADD COLUMN deviceId \(text)"
}
