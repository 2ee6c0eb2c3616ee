public import Core

/// One thing that a transcript reports about a session.
///
/// A line of a transcript yields any number of entries. An entry may be reported again, by the same
/// file or by another: entries of one thing have the same id.
public struct SessionEntry: Sendable, Hashable {
  /// The session that the entry belongs to.
  ///
  /// A line that a fork copied belongs to the session that it was copied from.
  public var session: SessionKey
  /// The instant at which the entry was written; nil if unknown.
  public var at: Timestamp?
  /// `true` if the entry was read from a copy in another session.
  public var isCopy: Bool
  /// The thing that is reported.
  public var content: Content

  /// The kinds of things that are reported.
  public enum Content: Sendable, Hashable {
    /// Facts about the session itself.
    case facts(SessionFacts)
    /// A prompt of a person, or of the agent that started the session.
    case prompt(SessionPrompt)
    /// An answer of a model, or a part of one.
    case answer(SessionAnswer)
    /// The tokens of a model call.
    case call(SessionCall)
    /// The sums of all calls so far.
    case total(SessionTotal)
    /// The result of a tool call.
    case result(SessionResult)
    /// A compaction: a summary takes the place of earlier messages in the context.
    case compaction(SessionCompaction)
    /// A failed model call that the program does not make again, in its words.
    case failure(Failure)
    /// A failed model call that the program makes again.
    case retry(SessionRetry)
    /// The start or the end of the work on a prompt.
    case turn(SessionTurn)
    /// A return to an earlier message; the messages after it are no longer shown.
    case rewind(SessionRewind)
    /// A report that only the output of a program contains.
    case output(OutputReport)
    /// An entry of a kind that this version does not know.
    case unknown(String)
    /// A line that could not be read.
    case unreadable
  }

  /// Creates an entry.
  public init(
    _ session: SessionKey, _ content: Content, at instant: Timestamp?, isCopy: Bool = false
  ) {
    (self.session, self.content, self.at, self.isCopy) = (session, content, instant, isCopy)
  }
}

/// A report in the output of a program that no file of it contains.
public enum OutputReport: Sendable, Hashable {
  /// A line for the log, without words of a person or a model.
  case note(Log.Level, String)
  /// A usage limit stops the program until the given time; nil if none stops it any longer.
  case limit(Timestamp?)
  /// A permission refused the tool call with the given id.
  case refusal(String?)
  /// Permissions refused at least the given number of tool calls, which have no ids.
  case refusals(Int)
  /// The program has ended a turn, and states how many tokens its context holds, and what its
  /// process has cost so far in US dollars, if no sums of its models state that.
  case progress(contextTokens: Int?, costUSD: Double?)
}

/// The start or the end of the work on a prompt.
public enum SessionTurn: String, Codable, Sendable {
  case began, ended, interrupted
}

/// A return to an earlier state of a session.
public enum SessionRewind: Sendable, Hashable {
  /// The message with this id and all later ones are no longer shown.
  case before(String)
  /// The last prompts, and everything after the first of them, are no longer shown.
  case prompts(Int)
  /// Only the messages with these ids are still shown.
  case only(Set<String>)
}
