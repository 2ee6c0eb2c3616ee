extension PostgresSchema {
  /// The script that creates version 2: the log of events.
  ///
  /// The table `event` has a partition for each `span` sequence numbers. Bounds drop whole
  /// partitions, which costs no vacuum. `srcId` is a column of it, so its index is dropped in the
  /// same step. A table of its own would store a second row per event. A unique index over all
  /// partitions is impossible, and is not needed: the lock of appends keeps `srcId` unique.
  ///
  /// The indexes contain hashes, because an entry of a B-tree has at most 2,704 bytes, and ids may
  /// be longer.
  static let events = """
    CREATE TABLE eventLog (
      epoch text NOT NULL, last bigint NOT NULL, next bigint NOT NULL, span bigint NOT NULL);
    INSERT INTO eventLog VALUES (
      substr(replace(gen_random_uuid()::text, '-', ''), 1, 16), 0, 1, 1000000);
    CREATE TABLE eventKept (
      count bigint NOT NULL, bytes bigint NOT NULL, seconds double precision NOT NULL,
      processed bigint);
    CREATE TABLE event (
      sequence bigint PRIMARY KEY, loggedAt bigint NOT NULL, agentId text COLLATE "C",
      srcId text COLLATE "C", record text NOT NULL) PARTITION BY RANGE (sequence);
    CREATE INDEX eventByAgent ON event (hashtextextended(agentId, 0), sequence)
      WHERE agentId IS NOT NULL;
    CREATE INDEX eventBySource ON event (hashtextextended(srcId, 0)) WHERE srcId IS NOT NULL;
    CREATE TABLE eventPart (first bigint PRIMARY KEY, next bigint NOT NULL);
    \(addingPart);
    \(droppingParts);
    \(rightsOfFunctions)
    """

  /// The function that creates partitions up to the given sequence number.
  ///
  /// A table that is attached locks the parent less than one that is created as a partition:
  /// readers continue.
  private static let addingPart = """
    CREATE FUNCTION addEventPart(upTo bigint) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER AS $$
      DECLARE start bigint; bound bigint;
      BEGIN
        LOOP
          SELECT next, next + span INTO start, bound FROM eventLog;
          EXIT WHEN start > upTo;
          EXECUTE format('CREATE TABLE event_%s (LIKE event)', start);
          EXECUTE format('ALTER TABLE event ATTACH PARTITION event_%s FOR VALUES FROM (%s) TO (%s)',
            start, start, bound);
          INSERT INTO eventPart VALUES (start, bound);
          UPDATE eventLog SET next = bound;
        END LOOP;
      END $$
    """

  /// The function that drops the partitions whose events all precede the given sequence number.
  ///
  /// The newest event is never dropped.
  private static let droppingParts = """
    CREATE FUNCTION dropEventParts(upTo bigint) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER AS $$
      DECLARE part record;
      BEGIN
        FOR part IN SELECT * FROM eventPart
          WHERE next <= upTo AND next <= (SELECT last FROM eventLog) ORDER BY first
        LOOP
          EXECUTE format('DROP TABLE event_%s', part.first);
          DELETE FROM eventPart WHERE first = part.first;
        END LOOP;
      END $$
    """

  /// The statements that let only chosen roles call the functions, and let nobody replace the
  /// tables that they use.
  ///
  /// Functions that run with the rights of their owner need a fixed search path.
  private static let rightsOfFunctions = """
    REVOKE ALL ON FUNCTION addEventPart, dropEventParts FROM PUBLIC;
    DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION addEventPart SET search_path = %I, pg_temp', current_schema());
      EXECUTE format(
        'ALTER FUNCTION dropEventParts SET search_path = %I, pg_temp', current_schema());
    END $$
    """
}
