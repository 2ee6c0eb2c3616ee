import Catalogue
import Core
import Foundation
import HTTP
import TestSupport
import Testing

@testable import Providers

/// Recorded streams of real services, in the folder that AGENTPIPES_EVAL names.
enum Recordings {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"].map { $0 + "/wire/" }
  static var areThere: Bool { folder != nil }

  /// One stream, and what the service's own kit makes of it.
  struct Recording: CustomTestStringConvertible {
    var file: String
    var bytes: [UInt8]
    /// Nil where the kit crashes on it.
    var final: [String: Any]?
    /// Of Responses: the last event's name, output and usage.
    var row: [String: Any] = [:]

    var testDescription: String { file }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func count(of mark: String) -> Int { text.ranges(of: mark).count }
  }

  /// The recordings under `streams/` whose path begins with one of the names.
  static func streams(_ names: [String]) throws -> [Recording] {
    guard let root = folder else { return [] }
    let rows = try String(contentsOfFile: root + "streams/expected.ndjson", encoding: .utf8)
    return try rows.split(separator: "\n").compactMap { row -> Recording? in
      let row = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any] ?? [:]
      guard let file = row["file"] as? String,
        names.contains(where: { file.hasPrefix("streams/\($0)/") })
      else { return nil }
      let content = try Data(contentsOf: URL(fileURLWithPath: root + file))
      let bytes =
        file.hasSuffix(".chunks.txt")
        ? wrapped(
          content,
          isChat: !["anthropic", "openai-responses", "azure"].contains(Self.interface(of: file)))
        : Array(content)
      return Recording(file: file, bytes: bytes, final: row["final"] as? [String: Any], row: row)
    }
  }

  /// A file of one JSON text a line as the event stream it stands for.
  private static func wrapped(_ content: Data, isChat: Bool) -> [UInt8] {
    var text = ""
    for line in String(decoding: content, as: UTF8.self).split(separator: "\n") {
      if !isChat, let type = JSONObject(String(line))?.string("type") {
        text += "event: \(type)\n"
      }
      text += "data: \(line)\n\n"
    }
    return Array((isChat ? text + "data: [DONE]\n\n" : text).utf8)
  }

  /// The interface that a stream was recorded from.
  static func interface(of file: String) -> String {
    String(file.split(separator: "/").dropFirst().first ?? "")
  }
}

/// What a decoder makes of a stream: its events, and how it ended.
struct Decoded: Equatable {
  var answer: ModelAnswer?
  var failure: Failure?
  var usage: Usage?
  var terms = ServiceTerms()
  /// The text that was streamed since the last restart.
  var text = ""
  var restarts = 0
  /// How many pieces of reasoning and of calls were told.
  var pieces = 0

  /// Decodes pieces of a stream.
  init(_ pieces: [[UInt8]], with decoder: some AnswerStream) {
    var decoder = EventStreamDecoder(decoder)
    do throws(Failure) {
      for piece in pieces { try decoder.read(piece) { take($0) } }
      try decoder.finish { take($0) }
    } catch {
      failure = error
    }
  }

  private mutating func take(_ event: ModelEvent) {
    switch event {
    case .piece(.text(let piece)): text += piece
    case .piece: pieces += 1
    case .usage(let usage): self.usage = usage
    case .restart: (text, restarts) = ("", restarts + 1)
    case .answer(let answer): self.answer = answer
    case .terms(let terms): self.terms = terms
    case .head, .declined, .rejected, .notice: break
    }
  }
}

/// The same bytes in ways that a network may deliver them.
func deliveries(_ bytes: [UInt8]) -> [(name: String, pieces: [[UInt8]])] {
  var generator = SeededRandom(seed: 7)
  var random: [[UInt8]] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = Int.random(in: 1...400, using: &generator)
    random.append(Array(rest.prefix(count)))
    rest = rest.dropFirst(count)
  }
  return [
    ("byte by byte", bytes.map { [$0] }), ("at random", random),
    ("with CRLF", [bytes.filter { $0 != 0x0D }.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }]),
  ]
}

/// Whether two JSON texts say the same; texts that are cut off are the same when they are equal.
func sameJSON(_ text: String, _ value: Any?) -> Bool {
  guard let data = try? JSONSerialization.data(withJSONObject: value ?? [:], options: .sortedKeys),
    let object = JSONObject(text)
  else { return false }
  let other = JSONObject(Array(data))
  return object.json == other?.json
}
