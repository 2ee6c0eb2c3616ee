import CodingAgents
import Core
import Foundation

/// The files of sessions, of which only those that changed are read.
struct AdoptedSources: ~Copyable {
  /// The pauses, in milliseconds, after which a change of a database is read again.
  ///
  /// SQLite publishes a commit through shared memory after it has written its log.
  private static let echoes = [5, 150]

  private struct Place {
    var agent: CodingAgent
    var places: SessionPlaces
    var roots: [String]
  }

  private let places: [Place]
  private let files: AdoptedFiles
  private let cutoff: Timestamp
  private let interruption: Interruption
  private var tree = TreeWatch()
  private var tails: [String: TranscriptTail] = [:]
  private var databases: [String: DatabaseTail] = [:]
  /// The times at which databases are to be read.
  private var due: [String: [ContinuousClock.Instant]] = [:]
  /// The time that the last read of a database took.
  private var cost = Duration.zero
  private var unsaved: Set<String> = []
  /// The files of which lines are left.
  private var behind: Set<String> = []
  /// The sources that changed since they were last taken.
  private var changed: Set<String> = []
  private var hasSearched = false

  /// Creates the sources of the given agents.
  ///
  /// - Parameters:
  ///   - agents: The agents.
  ///   - environment: The environment, whose variables may move the files.
  ///   - files: The stored positions.
  ///   - cutoff: The time before which files and their lines are not reported.
  ///   - interruption: Ends a long read.
  init(
    _ agents: [CodingAgent], environment: [String: String], files: AdoptedFiles,
    cutoff: Timestamp, _ interruption: Interruption
  ) {
    places = agents.map { agent in
      let places = SessionPlaces(agent, environment: environment)
      return Place(agent: agent, places: places, roots: places.watched)
    }
    (self.files, self.cutoff, self.interruption) = (files, cutoff, interruption)
  }

  /// The descriptor that can be read when something has changed; below 0 if there is none.
  var descriptor: Int32 { tree.descriptor }
  /// `true` if all changes are noticed without a search.
  var isWhole: Bool { tree.isWhole }
  /// The next time at which a database, or the rest of a file, is to be read; nil for none.
  var nextRead: ContinuousClock.Instant? {
    behind.isEmpty ? due.values.joined().min() : .now
  }

  // MARK: Changes

  /// Returns the paths of all files that may have changed since the last process, and watches
  /// folders that are new.
  mutating func search(all isAll: Bool) -> Set<String> {
    var found: Set<String> = []
    for place in places {
      for root in place.roots where isAll || !tree.contains(root) {
        guard access(root, F_OK) == 0 else { continue }
        // Beside its database, OpenCode keeps folders with many files that are no sessions.
        found.formUnion(tree.add(root, deep: place.agent != .opencode))
      }
    }
    found = found.filter { path in
      tails[path] != nil || Self.isDatabase(path)
        || FileTime.changed(path).map { $0 >= cutoff } ?? false
    }
    // The text of what an earlier process has read may not be stored.
    if !hasSearched { changed.formUnion(found) }
    hasSearched = true
    return found
  }

  /// Returns the paths of the files that changed since the last call, or of which lines are left.
  mutating func changes() -> Set<String> {
    let changes = tree.changes()
    let files = changes.files.union(behind)
    return changes.isIncomplete ? files.union(search(all: true)) : files
  }

  private static func isDatabase(_ path: String) -> Bool {
    path.hasSuffix(".db") || path.hasSuffix(".db-wal")
  }

  // MARK: Reading

  /// Reads the new lines of the given files.
  ///
  /// - Parameters:
  ///   - paths: The files; others than those of sessions are skipped.
  ///   - most: The number of bytes of a file after which the rest is left for the next call.
  ///   - deliver: Receives the entries in order.
  ///   - fail: Receives the failures of files.
  /// - Throws: `Interrupted`.
  mutating func read(
    _ paths: Set<String>, atMost most: Int = .max, to deliver: ([SessionEntry]) -> Void,
    onFailure fail: (Failure) -> Void
  ) throws(Failure) {
    for path in paths.sorted() {
      guard let place = places.first(where: { $0.roots.contains { path.hasPrefix($0 + "/") } })
      else { continue }
      guard place.agent != .opencode else {
        schedule(path, place)
        continue
      }
      guard let tail = tails[path] ?? newTail(path, place) else {
        behind.remove(path)
        continue
      }
      try read(tail, atMost: most, to: deliver, onFailure: fail)
    }
  }

  private func newTail(_ path: String, _ place: Place) -> TranscriptTail? {
    guard path.hasSuffix(".jsonl") || path.hasSuffix(".json"),
      place.agent != .gemini || path.contains("/chats/"), !Self.isLink(path),
      case .transcripts(let found)? = place.places.sources(of: [path]).first,
      let file = found.first
    else { return nil }
    return files.load(TranscriptTail.self, "files", path) ?? TranscriptTail(file)
  }

  /// Returns `true` if the path is a symbolic link, which may lead anywhere.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private mutating func read(
    _ tail: TranscriptTail, atMost most: Int, to deliver: ([SessionEntry]) -> Void,
    onFailure fail: (Failure) -> Void
  ) throws(Failure) {
    var tail = tail
    let before = tail.position
    do throws(Failure) {
      try tail.read(interruption, atMost: most, to: deliver)
    } catch {
      // A file that was removed or moved meanwhile is no fault.
      if error.code == .interrupted { throw error }
      if error.code != .notFound { fail(error) }
    }
    let path = tail.file.path
    tails[path] = tail
    if tail.isBehind { behind.insert(path) } else { behind.remove(path) }
    guard tail.position != before else { return }
    unsaved.insert(path)
    changed.insert(path)
  }

  // MARK: Databases

  private mutating func schedule(_ path: String, _ place: Place) {
    let name = (path as NSString).lastPathComponent
    guard Self.isDatabase(path), name.hasPrefix("opencode") || place.places.roots.contains(path)
    else { return }
    let database = path.hasSuffix("-wal") ? String(path.dropLast(4)) : path
    guard case .database? = place.places.sources(of: [database]).first else { return }
    // A large database is not read all the time, but a change does not put off a read that is due.
    let now = ContinuousClock.now
    let times = Self.echoes.map { now + max(.milliseconds($0), cost * 5) }
    due[database] = [due[database]?.min()].compactMap(\.self) + times
  }

  /// Reads the databases that are due.
  mutating func readDue(
    and active: Set<String>, to deliver: ([SessionEntry]) -> Void, onFailure fail: (Failure) -> Void
  ) throws(Failure) {
    let now = ContinuousClock.now
    for (path, times) in due where times.contains(where: { $0 <= now }) {
      let left = times.filter { $0 > now }
      due[path] = left.isEmpty ? nil : left
      var tail =
        databases[path] ?? files.load(DatabaseTail.self, "files", path)
        ?? DatabaseTail(path, since: cutoff)
      do throws(Failure) {
        try tail.read(and: active, interruption, to: deliver)
      } catch {
        if error.code == .interrupted { throw error }
        fail(error)
      }
      databases[path] = tail
      unsaved.insert(path)
      changed.insert(path)
      cost = .now - now
    }
  }

  // MARK: Storing

  /// Stores the positions that changed.
  ///
  /// - Throws: `StorageFailed` if they cannot be written.
  mutating func save() throws(Failure) {
    for path in unsaved.sorted() {
      if let tail = tails[path] { try files.save(tail, "files", path) }
      if let tail = databases[path] { try files.save(tail, "files", path) }
    }
    unsaved = []
  }

  /// Forgets what was read since positions were last stored.
  ///
  /// - Returns: The paths of the files, which are to be read again.
  mutating func forgetUnsaved() -> Set<String> {
    defer { unsaved = [] }
    for path in unsaved { (tails[path], databases[path]) = (nil, nil) }
    return unsaved
  }

  /// Returns the sources whose files changed since the last call, whole.
  mutating func takeChanged() -> [SessionSource] {
    defer { changed = [] }
    return places.flatMap { place in
      let known = (Array(tails.keys) + Array(databases.keys)).filter { path in
        place.roots.contains { path.hasPrefix($0 + "/") }
      }
      return place.places.sources(of: known, titled: true).filter { source in
        switch source {
        case .transcripts(let files): files.contains { changed.contains($0.path) }
        case .database(let path), .storage(let path): changed.contains(path)
        }
      }
    }
  }

  /// `true` if files changed since ``takeChanged()``.
  var hasChanged: Bool { !changed.isEmpty }
}
