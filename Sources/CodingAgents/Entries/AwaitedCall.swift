public import Core

/// A tool call that waits for a person's answer, as the entries of its session show it.
///
/// The call counts as answered if its result follows, or if the session goes on without it. An agent
/// may write its entries late, so entries before that of the call say nothing.
public struct AwaitedCall: Sendable {
  private let session: SessionKey
  private let id: String?
  private let tool: String
  private let arguments: JSONValue
  /// The calls without a result that may be this one, with the ids of their answers.
  private var open: [String: String] = [:]
  private var wasOpen = false

  /// Creates the description of a call.
  ///
  /// - Parameters:
  ///   - session: The session, or the subagent, that calls the tool.
  ///   - id: The id of the call; nil to recognise the call by its tool and arguments.
  ///   - tool: The tool's name.
  ///   - arguments: The arguments.
  public init(of session: SessionKey, id: String?, tool: String, arguments: JSONValue) {
    (self.session, self.id, self.tool, self.arguments) = (session, id, tool, arguments)
  }

  /// `true` if the call is answered.
  public var isAnswered: Bool { wasOpen && open.isEmpty }

  /// Takes the entries that were written before the call was first awaited.
  ///
  /// A call among them that has a result was an earlier one.
  public mutating func take(earlier entries: [SessionEntry]) {
    for entry in entries { take(entry) }
    wasOpen = !open.isEmpty
  }

  /// Takes the next entries.
  public mutating func take(_ entries: [SessionEntry]) {
    for entry in entries {
      take(entry)
      if isAnswered { return }
    }
  }

  private mutating func take(_ entry: SessionEntry) {
    guard entry.session == session, !entry.isCopy else { return }
    switch entry.content {
    case .answer(let answer):
      // A model answers only after all calls of its last answer have results.
      open = open.filter { $0.value == answer.id }
      for call in answer.toolCalls where isSame(call) { open[call.id] = answer.id }
      wasOpen = wasOpen || !open.isEmpty
    case .result(let result): open[result.call] = nil
    case .turn(.interrupted), .turn(.ended): open = [:]
    default: break
    }
  }

  private func isSame(_ call: SessionToolCall) -> Bool {
    id.map { call.id == $0 } ?? (call.name == tool && call.arguments == arguments)
  }
}
