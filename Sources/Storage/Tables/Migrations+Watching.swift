import GRDB

extension Migrations {
  /// Creates the tables of agents, their controls, and the audit log.
  static func watching(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE audit RENAME TO decision;
        CREATE TABLE audit (
          sequence INTEGER PRIMARY KEY AUTOINCREMENT, ts INTEGER NOT NULL, target TEXT NOT NULL,
          id TEXT NOT NULL, action TEXT NOT NULL, requestId TEXT NOT NULL, actor TEXT NOT NULL,
          reason TEXT, outcome TEXT NOT NULL, replayed INTEGER NOT NULL DEFAULT 0);
        INSERT INTO audit (ts, target, id, action, requestId, actor, reason, outcome)
          SELECT json_extract(record, '$.ts'), 'gate', gateId, json_extract(record, '$.decision'),
            requestId, json_extract(record, '$.actor'), json_extract(record, '$.reason'),
            CASE WHEN isWinner THEN json_extract(record, '$.status') ELSE 'Conflict' END
          FROM decision ORDER BY sequence;
        CREATE INDEX auditByRequest ON audit (requestId);
        CREATE INDEX auditByActor ON audit (actor, ts);
        CREATE TRIGGER auditIsNotChanged BEFORE UPDATE ON audit BEGIN
          SELECT RAISE(ABORT, 'the audit is only added to');
        END;
        CREATE TRIGGER auditIsNotDeleted BEFORE DELETE ON audit BEGIN
          SELECT RAISE(ABORT, 'the audit is only added to');
        END;

        CREATE TABLE runner (
          agentId TEXT PRIMARY KEY, swarmId TEXT, sessionId TEXT NOT NULL, lock TEXT NOT NULL);
        CREATE INDEX runnerBySwarm ON runner (swarmId);
        CREATE TABLE control (
          requestId TEXT PRIMARY KEY, target TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL);
        CREATE TABLE delivery (
          requestId TEXT NOT NULL REFERENCES control, agentId TEXT NOT NULL,
          sessionId TEXT NOT NULL, outcome TEXT, PRIMARY KEY (requestId, agentId)) WITHOUT ROWID;
        CREATE INDEX deliveryByAgent ON delivery (agentId, requestId) WHERE outcome IS NULL;

        CREATE TABLE watched (
          kind TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, updatedAt INTEGER NOT NULL,
          record TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
        CREATE INDEX watchedByParent ON watched (kind, parent);
        CREATE INDEX watchedByAge ON watched (kind, updatedAt);
        CREATE TABLE incidentEvent (
          incidentId TEXT NOT NULL, sequence INTEGER NOT NULL, record TEXT NOT NULL,
          PRIMARY KEY (incidentId, sequence)) WITHOUT ROWID;
        CREATE TABLE watchedUpTo (eventId TEXT NOT NULL);
        CREATE TABLE threshold (
          kind TEXT NOT NULL, id TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (kind, id));
        """)
  }

  /// Adds columns and indices with which frequent queries need not read all rows.
  static func questions(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE watched ADD COLUMN liveUntil INTEGER;
        ALTER TABLE watched ADD COLUMN fullness REAL;
        ALTER TABLE watched ADD COLUMN redundancy REAL;
        UPDATE watched SET liveUntil = CASE kind
            WHEN 'agent' THEN CASE
              WHEN json_extract(record, '$.status') NOT IN ('running', 'paused', 'waiting') THEN NULL
              WHEN coalesce(json_extract(record, '$.endedAt'), json_extract(record, '$.heartbeat'),
                json_extract(record, '$.startedAt')) IS NULL THEN updatedAt + 300000
              ELSE 9223372036854775807 END
            WHEN 'gate' THEN
              CASE json_extract(record, '$.status') WHEN 'pending' THEN 9223372036854775807 END
            WHEN 'alert' THEN CASE WHEN json_extract(record, '$.isRaised')
              OR NOT json_extract(record, '$.isTold') THEN 9223372036854775807 END
            END
          WHERE json_valid(record) AND kind IN ('agent', 'gate', 'alert');
        UPDATE watched SET parent = json_extract(record, '$.agentId'),
            fullness = CASE WHEN json_extract(record, '$.maxTokens') > 0
              THEN 1.0 * json_extract(record, '$.tokens') / json_extract(record, '$.maxTokens') END,
            redundancy = json_extract(record, '$.redundancy')
          WHERE json_valid(record) AND kind = 'session';
        CREATE INDEX watchedLive ON watched (kind, liveUntil) WHERE liveUntil IS NOT NULL;
        CREATE INDEX watchedFull ON watched (kind, fullness) WHERE fullness IS NOT NULL;
        CREATE INDEX watchedRedundant ON watched (kind, redundancy) WHERE redundancy IS NOT NULL;
        """)
  }

  /// Creates the tables of alerts that are sent to people.
  ///
  /// The record of a row is the alert, and after its outcome the delivery.
  static func pushing(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE push (
          sequence INTEGER PRIMARY KEY, target TEXT NOT NULL, alert TEXT NOT NULL,
          subject TEXT NOT NULL, isCritical INTEGER NOT NULL, isLeft INTEGER NOT NULL DEFAULT 0,
          takenAt INTEGER NOT NULL, lock TEXT NOT NULL, message INTEGER, triedAt INTEGER,
          dueAt INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, status TEXT,
          endedAt INTEGER, record TEXT NOT NULL, UNIQUE (target, alert));
        CREATE INDEX pushOpen ON push (target, lock, isCritical, dueAt)
          WHERE status IS NULL AND message IS NULL;
        CREATE INDEX pushClaimed ON push (target, lock, isCritical, dueAt)
          WHERE status IS NULL AND message IS NOT NULL;
        CREATE INDEX pushFirst ON push (target, isCritical, triedAt) WHERE message = sequence;
        CREATE INDEX pushSubject ON push (target, subject, triedAt);
        CREATE INDEX pushMessage ON push (target, message) WHERE message IS NOT NULL;
        CREATE INDEX pushLock ON push (lock) WHERE status IS NULL;
        CREATE INDEX pushEnded ON push (endedAt) WHERE endedAt IS NOT NULL;
        CREATE TABLE pushPlace (name TEXT PRIMARY KEY, eventId TEXT NOT NULL);
        """)
  }
}
