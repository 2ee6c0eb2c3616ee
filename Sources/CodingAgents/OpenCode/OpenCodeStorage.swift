import Core
import Foundation

/// The files that OpenCode wrote before version 1.2: `session/PROJECT/SESSION.json`,
/// `message/SESSION/MESSAGE.json` and `part/MESSAGE/PART.json`.
struct OpenCodeStorage {
  private static let largestFile = 16 << 20
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  /// Reads all sessions; each is a group.
  ///
  /// - Throws: `Interrupted`; and what the closures throw.
  func read(
    _ limits: SessionLimits, _ interruption: Interruption, to deliver: ([SessionEntry]) -> Void,
    endingGroup end: () throws(Failure) -> Void, onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) {
    let transcript = OpenCodeTranscript(limits: limits)
    let facts = self.facts(transcript)
    var sessions: [String: [(order: String, path: String)]] = [:]
    for path in files("message") {
      guard let data = bytes(path), let message = JSONObject(data) else {
        try fail(Self.unreadable(path))
        continue
      }
      let folder = ((path as NSString).deletingLastPathComponent as NSString).lastPathComponent
      let created = message.object("time")?.integer("created") ?? 0
      // A number of 15 digits sorts as text.
      let order = String(format: "%015d", max(0, created)) + (message.string("id") ?? path)
      sessions[message.string("sessionID") ?? folder, default: []].append((order, path))
    }
    for session in Set(sessions.keys).union(facts.keys).sorted() {
      if interruption.signal != nil { throw interruption.failure }
      if let known = facts[session] {
        deliver([SessionEntry(SessionKey(.opencode, session), .facts(known), at: nil)])
      }
      for message in (sessions[session] ?? []).sorted(by: { $0.order < $1.order }) {
        if let message = read(message.path, of: session) {
          deliver(transcript.entries(of: message))
        }
      }
      try end()
    }
  }

  private func read(_ path: String, of session: String) -> OpenCodeTranscript.Message? {
    guard let data = bytes(path) else { return nil }
    let name = String((path as NSString).lastPathComponent.dropLast(5))
    let id = JSONObject(data)?.string("id") ?? name
    let isSafe =
      !id.isEmpty && !id.contains("/") && !id.utf8.contains(0) && ![".", ".."].contains(id)
    let parts = isSafe ? files("part/\(id)").compactMap(bytes) : []
    return OpenCodeTranscript.Message(
      id: id, sessionId: session, created: nil, data: data, parts: parts)
  }

  private func facts(_ transcript: OpenCodeTranscript) -> [String: SessionFacts] {
    var facts: [String: SessionFacts] = [:]
    for path in files("session") {
      guard let session = bytes(path).flatMap({ JSONObject($0) }), let id = session.string("id")
      else { continue }
      facts[id] = transcript.facts(of: session)
    }
    return facts
  }

  private func files(_ name: String) -> [String] {
    FileTree("\(folder)/\(name)").files.filter { $0.hasSuffix(".json") }
  }

  private func bytes(_ path: String) -> [UInt8]? {
    (try? PlainFile(path, atMost: Self.largestFile))?.bytes
  }

  private static func unreadable(_ path: String) -> Failure {
    Failure(.badInput, "'\(Visible.line(path))' is not a JSON object", input: path)
  }
}
