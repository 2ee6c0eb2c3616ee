public import Core

/// The rules that decide requests without a person.
///
/// `deny` takes precedence over `ask`, and `ask` over `allow`. Requests that no rule matches are
/// asked.
public struct HookRules: Sendable {
  /// The decision of the rules.
  public enum Verdict: Sendable, Hashable {
    /// The rule with the given pattern allows the request.
    case allow(String)
    /// The rule with the given pattern denies the request.
    case deny(String)
    /// A person decides.
    case ask
    /// A person decides, because the rule with the given pattern may concern the request.
    case caution(String)
  }

  private let allow: [HookPattern]
  private let deny: [HookPattern]
  private let ask: [HookPattern]

  /// Creates the rules of the given settings.
  ///
  /// - Throws: `BadConfiguration` if a pattern is malformed.
  public init(_ settings: Settings.HookSettings) throws(Failure) {
    allow = try settings.allow.map { (text) throws(Failure) in try HookPattern(text) }
    deny = try settings.deny.map { (text) throws(Failure) in try HookPattern(text) }
    ask = try settings.ask.map { (text) throws(Failure) in try HookPattern(text) }
  }

  /// Returns the pattern of the rule that requires a person to decide the given request; nil if no
  /// rule does.
  public func question(on request: HookRequest) -> String? {
    switch verdict(on: request) {
    case .caution(let rule): return rule
    case .ask:
      let subject = RuleSubject(request)
      return ask.first { $0.matches(subject) }?.text
    case .allow, .deny: return nil
    }
  }

  /// Returns the decision on the given request.
  public func verdict(on request: HookRequest) -> Verdict {
    let subject = RuleSubject(request)
    if let rule = deny.first(where: { $0.matches(subject) || $0.forbidsFile(of: subject) }) {
      return .deny(rule.text)
    }
    guard !ask.contains(where: { $0.matches(subject) }) else { return .ask }
    if let rule = (deny + ask).first(where: { $0.mayConcern(subject) }) {
      return .caution(rule.text)
    }
    // A name of a file could complete the command to one that a rule names.
    let hidesCommand = subject.hasGlob && (deny + ask).contains { $0.concerns(subject.tool) }
    guard !hidesCommand, let rule = allow.first(where: { $0.allows(subject) }) else { return .ask }
    return .allow(rule.text)
  }
}
