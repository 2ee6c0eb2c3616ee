public import Core

/// A parser of the output of `opencode run --format json`.
///
/// Each line is a finished part of a message. OpenCode names no model, and refuses each permission
/// that it would have to ask for.
public struct OpenCodeOutput: OutputParser {
  /// The beginnings of error texts of calls that a permission refused.
  private static let refusals = [
    "The user rejected permission", "The user has specified a rule which prevents",
  ]
  /// The beginning of the plain line that reports a refused permission.
  private static let refusalLine = "! permission requested:"

  private var session = ""
  private var steps = 0
  private var refusedLines = 0
  /// `true` after a line of the program was seen.
  public private(set) var isKnown = false

  /// Creates a parser that has read no lines yet.
  public init() {}

  /// Returns the entries of the given line; nil if OpenCode did not print it.
  public mutating func entries(of line: JSONObject, at now: Timestamp) -> [SessionEntry]? {
    guard let id = line.string("sessionID"), line.count("timestamp") != nil,
      var contents = contents(of: line, at: now)
    else { return nil }
    if !isKnown { contents.insert((.note(.info, "session begins"), nil), at: 0) }
    (isKnown, session) = (true, id)
    return contents.map { SessionEntry(SessionKey(.opencode, id), $0.0, at: $0.1) }
  }

  /// Returns the entry of the given line, if it reports a refused permission.
  public mutating func entries(ofPlain line: [UInt8]) -> [SessionEntry] {
    guard isKnown, line.starts(with: Self.refusalLine.utf8) else { return [] }
    refusedLines += 1
    return [
      SessionEntry(SessionKey(.opencode, session), .output(.refusals(refusedLines)), at: nil)
    ]
  }

  /// Forgets the lines about refused permissions of the process that has ended.
  public mutating func end() -> [SessionEntry] {
    refusedLines = 0
    return []
  }

  private typealias Found = [(SessionEntry.Content, Timestamp?)]

  private mutating func contents(of line: JSONObject, at now: Timestamp) -> Found? {
    let part = line.object("part")
    switch line.type {
    case "step_finish": return part.map { step($0) } ?? []
    case "tool_use": return part.map { tool($0, now) } ?? []
    case "text": return [(.text(part?.string("text") ?? ""), nil)]
    case "error": return error(line.object("error"), now)
    case "done":
      let count = line.objects("rejected").count + (line.strings("rejected") ?? []).count
      return [(.output(.refusals(count)), nil), (.note(.info, "session ends"), nil)]
    case "step_start", "reasoning": return [(.note(.debug, "assistant \(line.type)"), nil)]
    case let type where isKnown && !type.isEmpty: return [(.note(.debug, type.prefix(100)), nil)]
    default: return nil
    }
  }

  private mutating func step(_ part: JSONObject) -> Found {
    guard let tokens = part.object("tokens") else { return [] }
    steps += 1
    let id = part.string("id") ?? "step \(steps)"
    var call = SessionCall(
      id: id, answer: id, model: nil, usage: Usage(openCode: tokens), costUSD: part.cost("cost"))
    call.isFinal = true
    return [(.output(.limit(nil)), nil), (.call(call), nil)]
  }

  private func tool(_ part: JSONObject, _ now: Timestamp) -> Found {
    let state = part.object("state")
    let id = part.string("callID")
    let isError = state?.string("status") == "error"
    let text = isError ? state?.string("error") ?? "" : state?.string("output") ?? ""
    var result = SessionResult(call: id ?? "", text: text, isError: isError)
    result.isRefused = isError && Self.refusals.contains { text.hasPrefix($0) }
    let time = state?.object("time")
    return [
      (.tool(id, part.string("tool") ?? "tool"), Self.instant(time, "start", now)),
      (.result(result), Self.instant(time, "end", now)),
    ]
  }

  /// Returns the time in the given member; nil if there is none that is plausible.
  private static func instant(
    _ time: JSONObject?, _ name: String, _ now: Timestamp
  ) -> Timestamp? {
    guard let told = time?.instant(name), told <= now, now.seconds(since: told) < 86_400 else {
      return nil
    }
    return told
  }

  private func error(_ error: JSONObject?, _ now: Timestamp) -> Found {
    let data = error?.object("data")
    let message = data?.string("message") ?? error?.string("message") ?? ""
    let wait = data?.object("responseHeaders")?.string("retry-after").flatMap(Double.init)
    var limit = SessionEntry.Content.limit(in: message, at: now)
    if data?.count("statusCode") == 429, let wait, (0...1e7).contains(wait) {
      limit = .output(.limit(now.adding(seconds: wait)))
    }
    let note = SessionEntry.Content.note(
      .error, "\((error?.string("name") ?? "error").prefix(100)): \(message)")
    return [limit, note].compactMap(\.self).map { ($0, nil) }
  }
}
