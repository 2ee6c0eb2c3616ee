public import CodingAgents
public import Core
import Foundation

/// An import of agents' sessions into the store of chats.
///
/// One session is in memory at a time, with its subagents.
public struct SessionImport {
  /// The largest number of unknown kinds that are named.
  private static let mostKinds = 10

  private let chats: ChatStore
  private let reader: SessionReader
  private let environment: [String: String]
  /// The chats that changed, by id.
  private var changed: [String: Chat] = [:]
  private var unknown: [String: Int] = [:]
  private var unreadable = 0
  private var known: ImportedSources?

  /// Creates an import into the given store.
  ///
  /// - Parameters:
  ///   - chats: The store.
  ///   - known: The sources that need not be read again; nil to read all sources.
  ///   - environment: The environment of this process, whose variables may move the sessions.
  ///   - interruption: Ends the import after the session that is being read.
  public init(
    into chats: ChatStore, except known: ImportedSources? = nil, environment: [String: String],
    interruption: Interruption
  ) {
    (self.chats, self.known, self.environment) = (chats, known, environment)
    reader = SessionReader(limits: .chats, environment: environment, interruption: interruption)
  }

  /// The chats that changed, the most recently changed first.
  public var changedChats: [Chat] {
    changed.values.sorted {
      ($0.lastUpdatedAt ?? .now, $0.id) > ($1.lastUpdatedAt ?? .now, $1.id)
    }
  }

  /// Imports the sessions of an agent.
  ///
  /// - Parameters:
  ///   - agent: The agent.
  ///   - path: A folder or a file of the agent; nil for the usual places.
  ///   - report: Receives a sentence about entries that were not understood.
  ///   - fail: Receives the failures of files; the import goes on unless it throws.
  /// - Throws: `NotFound` if there is no such path, or no folder of the agent; `StorageFailed` if
  ///   the store cannot be written; `Interrupted` if the process was interrupted.
  public mutating func run(
    _ agent: CodingAgent, at path: String?, reporting report: NoticeHandler,
    onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) {
    (unknown, unreadable) = ([:], 0)
    let places = SessionPlaces(agent, environment: environment)
    let sources = try places.sources(in: path, onFailure: fail)
    defer { report(.progress("")) }
    for (index, source) in sources.enumerated() {
      report(.progress("\(agent.title): \(index) of \(sources.count) read"))
      do throws(Failure) {
        let state = source.state(at: .now)
        if let state, try known?.contains(source, of: agent, in: state, chats) ?? false { continue }
        let ids = try add(source, onFailure: fail)
        if let state, let ids { known?.add(source, of: agent, in: state, as: ids) }
      } catch {
        // A failure of the store or an interruption ends the import.
        guard error.code == .badInput || error.code == .badConfiguration else { throw error }
        try fail(error)
      }
    }
    try known?.save(chats)
    for sentence in sentences(agent) { report(.sentence(sentence)) }
  }

  /// Imports the given sources.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - fail: Receives the failures of files; the import goes on.
  /// - Throws: `StorageFailed` if the store cannot be written; `Interrupted` if the process was
  ///   interrupted.
  public mutating func run(
    _ sources: [SessionSource], onFailure fail: (Failure) -> Void
  ) throws(Failure) {
    for source in sources {
      do throws(Failure) {
        try add(source) { fail($0) }
      } catch {
        guard error.code == .badInput || error.code == .badConfiguration else { throw error }
        fail(error)
      }
    }
  }

  /// Imports the given source.
  ///
  /// - Returns: The ids of its chats; nil if a part of it could not be read.
  @discardableResult
  private mutating func add(
    _ source: SessionSource, onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) -> [String]? {
    var sessions = SessionChats()
    var finished: [SessionChats] = []
    var failure: Failure?
    let chats = chats
    var stored: [Chat] = []
    var ids: [String] = []
    try reader.read(
      source, to: { sessions.add($0) },
      endingGroup: { () throws(Failure) in
        let material = sessions.material
        stored += try chats.merge(material)
        ids += material.chats.map(\.chat.id)
        finished.append(sessions.counts)
        sessions = SessionChats()
      },
      onFailure: { (error) throws(Failure) in
        failure = error
        try fail(error)
      })
    for chat in stored { changed[chat.id] = chat }
    let understood = finished.reduce(0) { $0 + $1.understood }
    for counts in finished {
      unknown.merge(counts.unknown) { $0 + $1 }
      unreadable += counts.unreadable
    }
    if failure == nil, understood == 0, finished.contains(where: { $0.unreadable > 0 }),
      case .transcripts(let files) = source, let path = files.first?.path
    {
      try fail(
        Failure(.badInput, "no line of '\(Visible.line(path))' could be read", input: path))
    }
    return failure == nil ? ids : nil
  }

  /// Returns sentences about entries that were not understood.
  private func sentences(_ agent: CodingAgent) -> [String] {
    var sentences: [String] = []
    if unreadable > 0 {
      let lines = unreadable == 1 ? "1 line" : "\(unreadable) lines"
      sentences.append("\(agent.title): skipped \(lines) that could not be read")
    }
    guard !unknown.isEmpty else { return sentences }
    let kinds = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let named = kinds.prefix(Self.mostKinds).map { "'\($0.key)' (\($0.value))" }
    let rest = kinds.count > Self.mostKinds ? " and others" : ""
    sentences.append(
      "\(agent.title): skipped entries of unknown kinds: \(named.joined(separator: ", "))\(rest); "
        + "tried with versions \(agent.triedVersions.joined(separator: ", "))")
    return sentences
  }
}
