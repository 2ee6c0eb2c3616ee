public import CodingAgents
public import Core

/// A request of an agent to call a tool, as a hook receives it.
public struct HookRequest: Sendable, Hashable {
  /// The agent, and the form of the answer.
  public var form: HookForm
  /// The tool's name.
  public var tool: String
  /// The arguments.
  public var input: [String: JSONValue]
  /// The id of the agent's session.
  public var sessionId: String?
  /// The id that the model gave to the call.
  public var callId: String?
  /// The working folder of the agent.
  public var folder: String?
  /// The id of the subagent that calls the tool; nil for the session itself.
  public var subagentId: String?
  /// The path of the session's transcript.
  public var transcript: String?
  /// The mode in which the agent asks for permissions, such as `default`.
  public var mode: String?

  /// Creates a request without a session.
  public init(_ form: HookForm, tool: String, input: [String: JSONValue]) {
    (self.form, self.tool, self.input) = (form, tool, input)
  }

  /// Returns the id of the request's gate.
  ///
  /// The same request of the same session has the same id. A request with another tool, other
  /// arguments or another folder has another id, even if it repeats the id of a call.
  ///
  /// - Parameters:
  ///   - attempt: The number of earlier gates of the request that nobody decided.
  ///   - risk: The risk that the gate shows; nil for none.
  /// - Returns: A UUID of version 8 (RFC 9562); nil if the session or the call has no id.
  public func gateId(attempt: Int, risk: String? = nil) -> String? {
    guard let sessionId, let callId else { return nil }
    let parts = [
      form.agent.rawValue, form.event, sessionId, callId, tool, folder ?? "", arguments,
      String(attempt),
    ]
    let bytes = (parts + (risk.map { [$0] } ?? [])).flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    var digits = Array(SHA256Digest.hexadecimal(bytes).prefix(32))
    digits[12] = "8"
    digits[16] = "a"
    return String(
      [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
        .joined(separator: "-"))
  }

  /// The id under which the session is an agent; nil if the session has no id.
  public var agentId: String? { sessionId.map { "\(form.agent.rawValue)-\($0)" } }

  /// The arguments as JSON with sorted members.
  var arguments: String {
    // Only a number that is not finite cannot be encoded, and JSON has none.
    let line = try? RecordJSON.line(of: JSONValue.object(input))
    return String(decoding: line ?? Array("null".utf8), as: UTF8.self)
  }
}

/// A message that an agent sent to a hook.
public enum HookMessage: Sendable, Hashable {
  /// The limit of a message's length in bytes.
  public static let longest = 16 << 20

  /// A request that waits for a decision.
  case request(HookRequest)
  /// A message about calls that need no decision any longer.
  case ended(EndedCalls)
  /// A message about an event that cannot be decided.
  case notice(HookForm)

  /// The agent, and the form of the answer.
  public var form: HookForm {
    switch self {
    case .request(let request): request.form
    case .ended(let calls): calls.form
    case .notice(let form): form
    }
  }

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - bytes: The message, an object of JSON.
  ///   - agent: The agent; nil to recognise it.
  /// - Throws: `BadInput` if the message is not JSON, is nested too deeply, or names no event or no
  ///   tool.
  public init(_ bytes: [UInt8], from agent: CodingAgent?) throws(Failure) {
    // Agents compare names by their bytes, and a name that occurs twice could hide a value.
    guard case .object(let members)? = JSONText.value(bytes, repeatsNames: false) else {
      throw Failure(.badInput, "the message of the agent is not JSON", input: "<stdin>")
    }
    guard let event = Self.text(members["hook_event_name"]) else {
      throw Failure(.badInput, "the message of the agent names no event", input: "<stdin>")
    }
    let form = HookForm(Self.agent(of: event, members, agent), event)
    let tool = Self.text(members["tool_name"])
    var input: [String: JSONValue]?
    if case .object(let own)? = members["tool_input"] { input = own }
    var request = HookRequest(form, tool: tool ?? "", input: input ?? [:])
    request.sessionId = Self.text(members["session_id"])
    request.callId = Self.text(members["tool_use_id"])
    request.folder = Self.text(members["cwd"])
    request.subagentId = Self.text(members["agent_id"])
    request.transcript = Self.text(members["transcript_path"])
    request.mode = Self.text(members["permission_mode"])
    guard form.isDecidable else {
      self = EndedCalls(request).map { .ended($0) } ?? .notice(form)
      return
    }
    guard tool != nil, input != nil else {
      throw Failure(
        .badInput, "the message of the agent has no tool with arguments", input: "<stdin>")
    }
    self = .request(request)
  }

  /// Returns the form of the answer to a message that could not be read.
  ///
  /// Without a sign of the event, it is the agent's form before a tool runs; without a sign of the
  /// agent too, that of PreToolUse, which Claude Code and Codex share. Only a member of the
  /// outermost object is a sign, because the model writes the arguments.
  public static func form(ofBroken bytes: [UInt8], from agent: CodingAgent?) -> HookForm {
    let events = CodingAgent.hooked.flatMap { $0.hooks?.decidable ?? [] }
    let usual = agent?.hooks?.decidable.first ?? HookSupport.preToolUse
    let named = outermost("hook_event_name", in: bytes)
    let event = named.flatMap { events.contains($0) ? $0 : nil } ?? usual
    return HookForm(Self.agent(of: event, [:], agent), event)
  }

  /// Returns the first text of the given member of the outermost object, even if what follows is
  /// malformed or nested too deeply.
  static func outermost(_ name: String, in bytes: [UInt8]) -> String? {
    var (depth, index) = (0, 0)
    var (member, isValue) = ("", false)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard depth == 1, index < bytes.count else { break }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isValue, member == name { return text }
        if !isValue { member = text }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ":"): isValue = depth == 1 || isValue
      case UInt8(ascii: ","): if depth == 1 { (member, isValue) = ("", false) }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Recognises the agent of a message.
  ///
  /// An event that the named agent does not have is another agent's: an answer in the wrong form
  /// would let the call run. A member that only one program sends tells it too.
  private static func agent(
    of event: String, _ members: [String: JSONValue], _ named: CodingAgent?
  ) -> CodingAgent {
    let programs = CodingAgent.hooked
    if let owner = programs.first(where: { $0.hooks?.ownEvents.contains(event) ?? false }) {
      return owner
    }
    let isShared = programs.contains { $0.hooks?.decidable.contains(event) ?? false }
    let possible = programs.filter { agent in
      !isShared || agent.hooks?.decidable.contains(event) ?? false
    }
    let marked = possible.first { $0.hooks?.ownMember.map { members[$0] != nil } ?? false }
    if isShared, let marked { return marked }
    if let named, possible.contains(named) { return named }
    return marked ?? .claude
  }

  private static func text(_ value: JSONValue?) -> String? {
    guard case .string(let text)? = value, !text.isEmpty else { return nil }
    return text
  }
}
