public import Core
import Foundation
import Processes

/// A reader of sessions that changes no file of the agents.
public struct SessionReader {
  /// The largest size of a transcript that is one object, as old versions of Gemini CLI wrote it.
  private static let largestObject = 64 << 20

  let limits: SessionLimits
  let interruption: Interruption
  private let environment: ChildEnvironment

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limits: The largest sizes of texts.
  ///   - environment: The environment of this process, for zstd(1), which unpacks old transcripts
  ///     of Codex.
  ///   - interruption: Ends a read.
  public init(
    limits: SessionLimits, environment: [String: String], interruption: Interruption
  ) {
    (self.limits, self.interruption) = (limits, interruption)
    self.environment = .ofHelper(environment)
  }

  /// Reads the given source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - deliver: Receives the entries in order.
  ///   - end: Called after the entries of each group of sessions that belong together.
  ///   - fail: Receives the failures of files; reading goes on unless it throws.
  /// - Throws: `Interrupted` if the process was interrupted, and what the closures throw.
  public func read(
    _ source: SessionSource, to deliver: ([SessionEntry]) -> Void,
    endingGroup end: () throws(Failure) -> Void, onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) {
    switch source {
    case .transcripts(let files):
      for file in files {
        do throws(Failure) {
          try read(file, to: deliver)
        } catch {
          guard error.code != .interrupted else { throw error }
          try fail(error.at(file.path))
        }
      }
      try end()
    case .database(let path):
      try OpenCodeDatabase(path).read(limits, interruption, to: deliver, endingGroup: end)
    case .storage(let folder):
      try OpenCodeStorage(folder).read(
        limits, interruption, to: deliver, endingGroup: end, onFailure: fail)
    }
  }

  // MARK: Transcripts

  private func read(
    _ file: TranscriptFile, to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    if let facts = facts(of: file) { deliver([SessionEntry(file.session, .facts(facts), at: nil)]) }
    switch file.session.agent {
    case .claude:
      var parser = ClaudeTranscript(file.session, limits: limits)
      let results = ClaudeResults(of: file, limits)
      try read(file.path, with: &parser) { deliver($0.map(results.complete)) }
    case .codex:
      var parser = CodexTranscript(file.session, limits: limits)
      try read(file.path, with: &parser, to: deliver)
    case .gemini:
      var parser = GeminiTranscript(
        file.session, parent: file.parent, folder: file.folder, limits: limits)
      guard file.path.hasSuffix(".json") else {
        return try read(file.path, with: &parser, to: deliver)
      }
      deliver(parser.entries(of: try whole(file.path)))
    case .opencode: return
    }
  }

  /// Returns the facts that the file's name and its neighbour state; nil if there are none.
  private func facts(of file: TranscriptFile) -> SessionFacts? {
    var facts = SessionFacts()
    if let title = file.title, limits.readsText {
      (facts.title, facts.naming) = (limits.message(title), .model)
    }
    if file.session.agent == .claude, file.session.subagent != nil {
      let meta = (try? PlainFile(file.facts, atMost: 1 << 16)).flatMap { JSONObject($0.bytes) }
      facts.role = meta?.string("agentType")
      facts.parentCall = meta?.string("toolUseId")
      facts.parent = meta?.string("parentAgentId").map { "\(file.session.id)/\($0)" }
    }
    return facts == SessionFacts() ? nil : facts
  }

  private func whole(_ path: String) throws(Failure) -> [UInt8] {
    do {
      return try PlainFile(path, atMost: Self.largestObject).bytes
    } catch {
      throw Failure(
        error.isDenied ? .permissionDenied : .badInput,
        "cannot read '\(Visible.line(path))': \(error.reason)", input: path)
    }
  }

  private func read(
    _ path: String, with parser: inout some TranscriptParser,
    to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    guard !path.hasSuffix(".zst") else { return try unpack(path, with: &parser, to: deliver) }
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen else { throw FileTree.failure(path) }
    guard let status = file.status(), status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.badInput, "'\(Visible.line(path))' is not a plain file", input: path)
    }
    try read(file.number, path, with: &parser, to: deliver)
  }

  private func unpack(
    _ path: String, with parser: inout some TranscriptParser,
    to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    let program: Program
    do throws(Failure) {
      program = try Program(
        ["zstd", "-d", "-c", "-q", "--", path], environment: environment, errors: .nowhere)
    } catch {
      guard error.kind == .noProgram else { throw error }
      throw Failure(
        .badConfiguration, "cannot unpack '\(Visible.line(path))': there is no program 'zstd'",
        kind: .noProgram, input: path, nextStep: "install zstd")
    }
    program.closeInput()
    try read(program.readable, path, with: &parser, to: deliver)
    guard program.end().status == 0 else {
      throw Failure(.badInput, "zstd cannot unpack '\(Visible.line(path))'", input: path)
    }
  }

  private func read(
    _ descriptor: Int32, _ path: String, with parser: inout some TranscriptParser,
    to deliver: ([SessionEntry]) -> Void
  ) throws(Failure) {
    var lines = LineReader(descriptor: descriptor, name: path, interruption: interruption)
    while let line = try lines.next() {
      let entries = parser.entries(of: line.bytes ?? [UInt8(ascii: "?")])
      // The last line may be half written.
      if !line.isEnded, entries.map(\.content) == [.unreadable] { break }
      deliver(entries)
    }
    deliver(parser.end())
  }
}
