import GRDB

extension Migrations {
  /// Creates the tables of chats.
  ///
  /// The content of chats is encrypted. Ids, times and sizes are not, because queries need them.
  static func chats(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE chatKey (
          id TEXT NOT NULL, place TEXT NOT NULL, plain TEXT NOT NULL);
        CREATE TABLE project (
          id TEXT PRIMARY KEY, updatedAt INTEGER NOT NULL, sealed BLOB NOT NULL);
        CREATE TABLE chat (
          id TEXT PRIMARY KEY, projectId TEXT, isPlanning INTEGER NOT NULL,
          createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, sealed BLOB NOT NULL);
        CREATE INDEX chatByChange ON chat (isPlanning, updatedAt);
        CREATE INDEX chatByProject ON chat (projectId, updatedAt);
        CREATE TABLE turn (
          sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
          chatId TEXT NOT NULL REFERENCES chat ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          createdAt INTEGER NOT NULL, groupId TEXT, segment INTEGER, sealed BLOB NOT NULL);
        CREATE INDEX turnByChat ON turn (chatId, createdAt, id);
        CREATE INDEX turnUnmerged ON turn (createdAt) WHERE segment IS NULL;
        CREATE TABLE attachment (
          chatId TEXT NOT NULL REFERENCES chat ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          id TEXT NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (chatId, id));
        CREATE TABLE segment (
          id INTEGER PRIMARY KEY, newest INTEGER NOT NULL, filter BLOB NOT NULL,
          text BLOB NOT NULL);
        CREATE TABLE chatSpending (
          id TEXT PRIMARY KEY, projectId TEXT, createdAt INTEGER NOT NULL, sealed BLOB NOT NULL);
        """)
  }

  /// Creates the tables of devices.
  ///
  /// They contain digests of codes and tokens, not the codes and tokens themselves.
  static func devices(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE device (
          id TEXT PRIMARY KEY, publicKey BLOB NOT NULL, pushToken TEXT, generation INTEGER NOT NULL,
          revokedAt INTEGER, record TEXT NOT NULL);
        CREATE TABLE deviceCode (
          word TEXT PRIMARY KEY, digest BLOB NOT NULL, tries INTEGER NOT NULL, scope TEXT NOT NULL,
          name TEXT, expiresAt INTEGER NOT NULL);
        CREATE TABLE deviceToken (
          handle INTEGER PRIMARY KEY, digest BLOB NOT NULL, deviceId TEXT NOT NULL REFERENCES device,
          generation INTEGER NOT NULL, isRefresh INTEGER NOT NULL, expiresAt INTEGER NOT NULL,
          spentAt INTEGER);
        CREATE INDEX deviceTokenByDevice ON deviceToken (deviceId, generation);
        """)
  }

  /// Creates the tables of companions.
  ///
  /// They contain paired devices, used signatures and failed attempts to guess a code.
  static func companions(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE companion (
          deviceId TEXT PRIMARY KEY REFERENCES device, address TEXT NOT NULL, connectedAt INTEGER,
          signsSince INTEGER, codeDigest BLOB NOT NULL, codeUntil INTEGER NOT NULL);
        CREATE TABLE companionNonce (
          deviceId TEXT NOT NULL, nonce TEXT NOT NULL, at INTEGER NOT NULL,
          PRIMARY KEY (deviceId, nonce)) WITHOUT ROWID;
        CREATE TABLE companionGuess (id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
        CREATE TABLE pairedHost (name TEXT PRIMARY KEY, record TEXT NOT NULL);
        """)
  }
}
