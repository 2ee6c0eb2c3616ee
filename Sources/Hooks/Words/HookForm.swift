public import CodingAgents
import Core

/// The form of a hook's output, which depends on the agent and the event.
public struct HookForm: Sendable, Hashable {
  /// The agent.
  public var agent: CodingAgent
  /// The value of `hook_event_name`, such as `PreToolUse`.
  public var event: String

  /// Creates a form.
  public init(_ agent: CodingAgent, _ event: String) { (self.agent, self.event) = (agent, event) }

  /// `true` if a hook can decide the event.
  public var isDecidable: Bool { agent.hooks?.decidable.contains(event) ?? false }

  /// `true` if the agent asks a person itself when the hook does not decide.
  public var hasPrompt: Bool { agent.hooks?.prompting.contains(event) ?? false }

  /// Returns the text that the hook prints for the given answer, with its line end.
  ///
  /// An event that cannot be decided gets no decision. A question is denied if the agent has no
  /// prompt.
  public func text(_ answer: HookAnswer) -> String {
    guard let hooks = agent.hooks else { return "" }
    guard isDecidable else { return hooks.silence }
    switch answer {
    case .allow(let reason): return hooks.output(event, .allow, Self.literal(reason))
    case .deny(let reason): return hooks.output(event, .deny, Self.literal(reason))
    case .ask(let reason):
      return hooks.output(event, hasPrompt ? .ask : .deny, Self.literal(reason))
    case .none: return hooks.silence
    }
  }

  /// Returns the given text as a string of JSON, shortened and without unsafe characters.
  private static func literal(_ text: String) -> String {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(1000)))
    return String(decoding: JSONString.literal(Visible.line(start)), as: UTF8.self)
  }
}

/// The answer to a hook.
public enum HookAnswer: Sendable, Hashable {
  /// The call runs, for the given reason.
  case allow(String)
  /// The call does not run, for the given reason.
  case deny(String)
  /// The agent asks a person itself, for the given reason.
  case ask(String)
  /// The hook does not decide.
  case none
}
