public import Core
import Synchronization

/// The permission to call tools and to start servers: by rules, by agreements, or by asking.
public final class ToolConsent: Sendable {
  /// A function that asks a person; its second parameter returns the permission that was given
  /// while the question waited.
  public typealias Asking =
    @Sendable (ToolQuestion, @escaping @Sendable () -> ToolPermission?) async throws(Failure) ->
    ToolAnswer

  private let rules: ToolRules
  private let agreements: ToolAgreements
  private let asking: Asking?
  private let hasStopped = Mutex(false)

  /// Creates the permissions.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - agreements: The stored agreements.
  ///   - asking: A function that asks a person; nil if there is nobody to ask.
  public init(_ rules: ToolRules, _ agreements: ToolAgreements, asking: Asking?) {
    (self.rules, self.agreements, self.asking) = (rules, agreements, asking)
  }

  /// `true` if a person stopped all further calls.
  public var isStopped: Bool { hasStopped.withLock(\.self) }

  /// Returns the permission that a call of the given tool has without a question; nil if it has
  /// none.
  ///
  /// - Throws: The errors of reading the agreements.
  public func permission(for tool: ToolRecord) throws(Failure) -> ToolPermission? {
    try given(tool, false, nil)
  }

  /// Throws a failure if the given tool, as it was last listed, would not run and nobody could be
  /// asked, so that no server starts in vain.
  ///
  /// - Throws: `PermissionDenied` of kind `notAllowed`; `UserRejected` of kind `stopped`.
  func check(_ tool: ToolRecord, isNamed: Bool, in chatId: String?) throws(Failure) {
    if isStopped, !isNamed { throw Self.stopped(tool) }
    guard asking == nil, try given(tool, isNamed, chatId) == nil else { return }
    throw Self.refusal(tool)
  }

  /// Returns the permission to send a call, after asking a person if necessary.
  ///
  /// - Throws: `PermissionDenied` of kind `notAllowed` if nobody allows it; `UserRejected` if a
  ///   person refuses; `Interrupted`.
  func permission(
    for tool: ToolRecord, _ arguments: JSONValue, isNamed: Bool, in chatId: String?
  ) async throws(Failure) -> ToolPermission {
    if let permission = try given(tool, isNamed, chatId) { return permission }
    if isStopped { throw Self.stopped(tool) }
    guard let asking else { throw Self.refusal(tool) }
    var question = ToolQuestion(.call(tool, arguments), in: chatId)
    question.hasChanged = try agreements.all().contains { $0.name == tool.fullName }
    let answer = try await asking(question) { [self] in
      (try? given(tool, isNamed, chatId)) ?? nil
    }
    return try permission(answer, tool, chatId)
  }

  private func permission(
    _ answer: ToolAnswer, _ tool: ToolRecord, _ chatId: String?
  ) throws(Failure) -> ToolPermission {
    switch answer {
    case .once: return .once
    case .approved: return .gate
    case .chat:
      guard let chatId else { return .once }
      try agreements.add(.init(name: tool.fullName, digest: tool.digest, chatId: chatId))
      return .chat
    case .always:
      try agreements.add(.init(name: tool.fullName, digest: tool.digest))
      return .always
    case .no:
      throw Failure(
        .userRejected, "'\(Visible.line(tool.fullName))' was not allowed", input: tool.fullName)
    case .stop:
      hasStopped.withLock { $0 = true }
      throw Self.stopped(tool)
    case .rejected(let failure): throw failure
    case .nobody: throw Self.refusal(tool)
    }
  }

  /// Requires the agreement to start the given server, if it comes from a file of another program.
  ///
  /// - Throws: `PermissionDenied` of kind `notAgreed` if nobody agrees; `Interrupted`.
  public func admit(_ entry: ServerEntry) async throws(Failure) {
    guard entry.needsAgreement, try !hasAgreed(to: entry) else { return }
    if rules.allowed.contains(where: { $0.covers(source: entry.source) }) {
      return try agreements.add(.init(name: entry.source, digest: entry.digest))
    }
    guard let asking else { throw Self.refusal(entry) }
    let answer = try await asking(ToolQuestion(.server(entry))) { [self] in
      (try? hasAgreed(to: entry)) == true ? .agreement : nil
    }
    switch answer {
    case .once, .chat, .always, .approved:
      try agreements.add(.init(name: entry.source, digest: entry.digest))
    case .no, .stop, .nobody, .rejected:
      if answer == .stop { hasStopped.withLock { $0 = true } }
      throw Self.refusal(entry)
    }
  }

  private func hasAgreed(to entry: ServerEntry) throws(Failure) -> Bool {
    let digest = entry.digest
    return try agreements.all().contains { $0.name == entry.source && $0.digest == digest }
  }

  private func given(
    _ tool: ToolRecord, _ isNamed: Bool, _ chatId: String?
  ) throws(Failure) -> ToolPermission? {
    // Rules first, so that a call that the user named reads no file.
    if let permission = rules.permission(for: tool, isNamed: isNamed, agreements: [], in: chatId) {
      return permission
    }
    return rules.permission(
      for: tool, isNamed: isNamed, agreements: try agreements.all(), in: chatId)
  }

  private static func refusal(_ tool: ToolRecord) -> Failure {
    let name = Visible.line(tool.fullName)
    return Failure(
      .permissionDenied, "'\(name)' is not allowed", kind: .notAllowed, input: tool.fullName,
      nextStep: "use --allow '\(name)', or set 'allow' under '[tools]'")
  }

  private static func refusal(_ entry: ServerEntry) -> Failure {
    let lines = entry.shownLines.joined(separator: "; ")
    // A message may mask more than the question does, and nobody may agree to the rest unseen.
    let words = Secrets.shown(lines) == lines ? " (\(lines))" : ""
    return Failure(
      .permissionDenied,
      "the server '\(entry.name)' was not agreed to\(words)",
      kind: .notAgreed, input: entry.source,
      nextStep:
        "run 'tool-call list \(entry.source)' at a terminal, or use --allow '\(entry.source)'")
  }

  private static func stopped(_ tool: ToolRecord) -> Failure {
    Failure(
      .userRejected, "'\(Visible.line(tool.fullName))' did not run: calls were stopped",
      kind: .stopped, input: tool.fullName)
  }
}
