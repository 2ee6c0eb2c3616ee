public import Core

/// A question to a person about a call or a server.
public struct ToolQuestion: Sendable {
  /// The subject of a question.
  public enum Subject: Sendable {
    /// A call of the tool with the arguments.
    case call(ToolRecord, JSONValue)
    /// The start of a server that a file of another program describes.
    case server(ServerEntry)
  }

  /// The subject.
  public var subject: Subject
  /// The chat of the call; nil for none.
  public var chatId: String?
  /// `true` if a person agreed to this tool before, when it was different.
  public var hasChanged = false

  /// Creates the question.
  public init(_ subject: Subject, in chatId: String? = nil) {
    (self.subject, self.chatId) = (subject, chatId)
  }

  /// The lines that a person reads before the answer, safe to show on a terminal.
  public var lines: [String] {
    switch subject {
    case .server(let entry):
      let origin = entry.file.map { " of '\(ShownURL.inName($0))'" } ?? ", which was imported"
      return ["start the server '\(entry.name)'\(origin)?"] + entry.shownLines.map { "  " + $0 }
    case .call(let tool, let arguments):
      return [
        "call '\(Visible.line(tool.name))' of \(Visible.line(tool.source))"
          + (hasChanged ? ", which has changed since you agreed?" : "?"),
        "  " + ApprovalGate.words(arguments.json),
      ]
    }
  }

  /// The question in one sentence.
  public var summary: String {
    switch subject {
    case .server(let entry): "start the server '\(entry.name)'"
    case .call(let tool, _): "call the tool '\(Visible.line(tool.fullName))'"
    }
  }
}

/// The answer of a person to a question.
public enum ToolAnswer: Sendable, Hashable {
  /// The call runs this time.
  case once
  /// The tool runs in this chat.
  case chat
  /// The tool runs from now on, until it changes.
  case always
  /// The call does not run.
  case no
  /// The call does not run, and no other call does.
  case stop
  /// The call was approved at a gate.
  case approved
  /// The call was rejected at a gate, or nobody decided in time.
  case rejected(Failure)
  /// There is nobody to ask.
  case nobody
}
