package import GRDB

/// The tables of the databases, defined by migrations.
///
/// New migrations are appended, and existing ones are never edited. A record is stored as the line
/// that a stream would contain, beside the columns that queries need.
package enum Migrations {
  /// The migrations of `store.db`, which holds data that must not be lost.
  package static var store: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 pipelines") { database in
      try database.execute(
        sql: """
          CREATE TABLE pipeline (
            id TEXT PRIMARY KEY, status TEXT NOT NULL, isBegun INTEGER NOT NULL DEFAULT 0,
            options TEXT, record TEXT NOT NULL);
          CREATE TABLE stage (
            id TEXT PRIMARY KEY,
            pipelineId TEXT NOT NULL REFERENCES pipeline ON DELETE CASCADE,
            position INTEGER NOT NULL, status TEXT NOT NULL, record TEXT NOT NULL);
          CREATE INDEX stageByPipeline ON stage (pipelineId, position);
          CREATE TABLE artifact (
            id TEXT PRIMARY KEY,
            pipelineId TEXT NOT NULL REFERENCES pipeline ON DELETE CASCADE,
            stageId TEXT NOT NULL, record TEXT NOT NULL);
          CREATE INDEX artifactByPipeline ON artifact (pipelineId);
          CREATE TABLE page (
            pipelineId TEXT NOT NULL REFERENCES pipeline ON DELETE CASCADE,
            ordinal INTEGER NOT NULL, record TEXT NOT NULL,
            PRIMARY KEY (pipelineId, ordinal)) WITHOUT ROWID;
          CREATE TABLE call (
            id TEXT PRIMARY KEY,
            pipelineId TEXT REFERENCES pipeline ON DELETE CASCADE,
            stageId TEXT, model TEXT NOT NULL, outcome TEXT NOT NULL,
            startedAt INTEGER NOT NULL, finishedAt INTEGER,
            usage TEXT, costUSD REAL, estimatedTokens INTEGER, estimatedCostUSD REAL);
          CREATE INDEX callByPipeline ON call (pipelineId);
          CREATE TABLE exchange (
            id TEXT PRIMARY KEY, conversationId TEXT NOT NULL, pipelineId TEXT,
            record TEXT NOT NULL);
          CREATE INDEX exchangeByConversation ON exchange (conversationId, id);
          """)
    }
    migrator.registerMigration("2 gates") { database in
      try database.execute(
        sql: """
          CREATE TABLE gate (
            id TEXT PRIMARY KEY, pipelineId TEXT, stageId TEXT, status TEXT NOT NULL,
            expiresAt INTEGER, record TEXT NOT NULL);
          CREATE INDEX gateByStatus ON gate (status);
          CREATE UNIQUE INDEX gateByStage ON gate (stageId);
          CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, gateId TEXT NOT NULL,
            requestId TEXT NOT NULL UNIQUE, isWinner INTEGER NOT NULL, record TEXT NOT NULL);
          CREATE INDEX auditByGate ON audit (gateId, sequence);
          """)
    }
    migrator.registerMigration("3 gates of stages that are sent again") { database in
      // A stage that was removed from its plan and later submitted again gets a new result and a
      // new gate.
      try database.execute(
        sql: """
          DROP INDEX gateByStage;
          CREATE INDEX gateByStage ON gate (stageId, id);
          """)
    }
    migrator.registerMigration("4 models as they were asked for") { database in
      // A run writes the model that it chose into the stage. When the plan is submitted again, that
      // must not count as a change.
      try database.execute(sql: "ALTER TABLE stage ADD COLUMN askedModel TEXT")
    }
    migrator.registerMigration("5 watching and steering", migrate: watching)
    migrator.registerMigration("6 what questions look for", migrate: questions)
    migrator.registerMigration("7 chats", migrate: chats)
    migrator.registerMigration("8 devices", migrate: devices)
    migrator.registerMigration("9 companions", migrate: companions)
    migrator.registerMigration("10 nonces that are forgotten") { database in
      try database.execute(
        sql: """
          ALTER TABLE companionNonce ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
          UPDATE companionNonce SET created = at / 1000 + 300;
          ALTER TABLE companion ADD COLUMN forgottenUntil INTEGER NOT NULL DEFAULT 0;
          """)
    }
    migrator.registerMigration("11 leases of runners") { database in
      try database.execute(
        sql: """
          ALTER TABLE runner ADD COLUMN leaseUntil INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX runnerByLock ON runner (lock);
          """)
    }
    migrator.registerMigration("12 calls for answers") { database in
      try database.execute(sql: "ALTER TABLE call ADD COLUMN answerId TEXT")
      try database.execute(sql: "ALTER TABLE call ADD COLUMN sealed BLOB")
      try database.execute(sql: "CREATE INDEX callByAnswer ON call (answerId)")
    }
    migrator.registerMigration("13 gates of devices") { database in
      try database.execute(
        sql: """
          CREATE TABLE gateDevice (gateId TEXT PRIMARY KEY, deviceId TEXT NOT NULL);
          CREATE INDEX gateDeviceByDevice ON gateDevice (deviceId);
          """)
    }
    migrator.registerMigration("14 gates of hubs") { database in
      try database.execute(
        sql: """
          CREATE TABLE gateHub (
            gateId TEXT PRIMARY KEY, hub TEXT NOT NULL,
            isHeld INTEGER NOT NULL DEFAULT 0, isTold INTEGER NOT NULL DEFAULT 0);
          """)
    }
    migrator.registerMigration("15 guesses of each kind of code") { database in
      try database.execute(
        sql: "ALTER TABLE companionGuess ADD COLUMN name TEXT NOT NULL DEFAULT 'pairing'")
    }
    migrator.registerMigration("16 numbers of leases") { database in
      try database.execute(sql: "ALTER TABLE runner ADD COLUMN number INTEGER NOT NULL DEFAULT 0")
    }
    migrator.registerMigration("17 devices in the audit") { database in
      try database.execute(sql: "ALTER TABLE audit ADD COLUMN deviceId TEXT")
    }
    migrator.registerMigration("18 search in tool calls and results") { database in
      // The next turns that are stored move all turns into new segments.
      try database.execute(sql: "UPDATE turn SET segment = NULL; DELETE FROM segment")
    }
    return migrator
  }

  /// The migrations of `events.db`, which holds the log of events.
  package static var events: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 events") { database in
      try database.execute(
        sql: """
          CREATE TABLE log (epoch TEXT NOT NULL);
          INSERT INTO log (epoch) VALUES (lower(hex(randomblob(8))));
          CREATE TABLE event (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, ts INTEGER NOT NULL,
            record TEXT NOT NULL);
          """)
    }
    migrator.registerMigration("2 events by agent, source and age") { database in
      // The last sequence number is stored beside the epoch, because AUTOINCREMENT would write it
      // once per event.
      try database.execute(
        sql: """
          ALTER TABLE log ADD COLUMN last INTEGER NOT NULL DEFAULT 0;
          UPDATE log SET last =
            coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0);
          ALTER TABLE event RENAME TO earlierEvent;
          CREATE TABLE event (
            sequence INTEGER PRIMARY KEY, loggedAt INTEGER NOT NULL, agentId TEXT, srcId TEXT,
            record TEXT NOT NULL);
          INSERT INTO event (sequence, loggedAt, record)
            SELECT sequence, ts, record FROM earlierEvent;
          DROP TABLE earlierEvent;
          CREATE INDEX eventByAgent ON event (agentId, sequence) WHERE agentId IS NOT NULL;
          CREATE UNIQUE INDEX eventBySource ON event (srcId) WHERE srcId IS NOT NULL;
          """)
    }
    migrator.registerMigration("3 what a hub keeps") { database in
      try database.execute(
        sql: "CREATE TABLE kept (count INTEGER, bytes INTEGER, seconds REAL, taken INTEGER)")
    }
    return migrator
  }

  /// The migrations of `push.db`, which holds the alerts that are sent to people.
  package static var push: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 alerts", migrate: pushing)
    migrator.registerMigration("2 hubs of alerts") { database in
      try database.execute(sql: "ALTER TABLE push ADD COLUMN hub TEXT")
    }
    return migrator
  }

  /// The migrations of `pages.db` in the cache, which may be deleted at any time.
  package static var cache: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 responses") { database in
      // The body is the last column, so that it is not read when responses are looked up or
      // counted.
      try database.execute(
        sql: """
          CREATE TABLE response (
            id INTEGER PRIMARY KEY, url TEXT NOT NULL, variant TEXT NOT NULL, head TEXT NOT NULL,
            sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, usedAt REAL NOT NULL, body BLOB NOT NULL,
            UNIQUE (url, variant));
          CREATE INDEX responseByUse ON response (usedAt, bytes);
          """)
    }
    return migrator
  }
}
