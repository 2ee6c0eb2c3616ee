import Core
import Foundation

/// The messages and tools of a Codex thread.
extension CodexTranscript {
  /// The events that repeat items, or that contain nothing of interest.
  private static let asides: Set = [
    "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "context_compacted",
    "dynamic_tool_call_request", "dynamic_tool_call_response", "entered_review_mode",
    "exec_command_end", "exited_review_mode", "image_generation_end", "item_completed",
    "mcp_tool_call_end", "patch_apply_end", "sub_agent_activity", "thread_goal_updated",
    "thread_name_updated", "thread_settings_applied", "view_image_tool_call", "web_search_end",
  ]

  /// The elements that Codex adds as messages of a person.
  private static let injected: Set = [
    "codex_internal_context", "collaboration_mode", "environment_context", "goal_context",
    "hook_prompt", "instructions", "permissions", "personality_spec", "recommended_plugins",
    "skill", "skills_instructions", "subagent_notification", "turn_aborted", "user_instructions",
  ]

  /// Returns the contents of the given `event_msg`.
  mutating func event(_ event: JSONObject) -> [SessionEntry.Content] {
    switch event.type {
    case "user_message":
      answers.addInput()
      let files =
        limits.readsText
        ? (event.strings("images") ?? []).compactMap { SessionFile(dataURL: $0) } : []
      return prompt(event.string("message") ?? "", files, .event)
    case "task_started", "turn_started":
      usage.setContext(event)
      return [.turn(.began)]
    case "task_complete", "turn_complete":
      let failure = event.object("error").map { Failure(codex: $0).cut(limits) }
      return (failure.map { [.failure($0)] } ?? []) + [.turn(.ended)]
    case "turn_aborted": return [.turn(.interrupted)]
    case "thread_rolled_back":
      return event.count("num_turns").map { [.rewind(.prompts($0))] } ?? []
    case "error", "stream_error":
      guard var retry = SessionRetry(codex: event.string("message") ?? "") else {
        return [.failure(Failure(codex: event).cut(limits))]
      }
      retry.failure = retry.failure.cut(limits)
      return [.retry(retry)]
    case "thread_settings_applied":
      let settings = event.object("thread_settings") ?? event
      usage.model = settings.string("model") ?? usage.model
      usage.tier = settings.string("service_tier")
      return []
    case let type where Self.asides.contains(type) || type.hasPrefix("collab_"): return []
    case let type: return [.unknown(EntryKind.name("event_msg", type))]
    }
  }

  /// Returns the contents of the given `response_item`.
  mutating func item(_ item: JSONObject, _ at: Timestamp?) -> [SessionEntry.Content] {
    switch item.type {
    case "message": return message(item, at)
    case "reasoning":
      let texts = item.texts("summary") + item.texts("content")
      guard !texts.isEmpty else { return [] }
      return answer(at) { $0.reasoning = $1.message(texts.joined(separator: "\n\n")) }
    case "function_call", "custom_tool_call", "local_shell_call", "web_search_call",
      "tool_search_call", "image_generation_call":
      return [toolCall(item, at)]
    case "function_call_output", "custom_tool_call_output", "tool_search_output":
      return result(item)
    case "compaction", "compaction_summary", "context_compaction", "ghost_snapshot", "other":
      return []
    case let type: return [.unknown(EntryKind.name("response_item", type))]
    }
  }

  private mutating func answer(
    _ at: Timestamp?, _ change: (inout SessionAnswer, SessionLimits) -> Void
  ) -> [SessionEntry.Content] {
    prompts.forget()
    var answer = SessionAnswer(id: answers.add(session, at), model: usage.model)
    change(&answer, limits)
    return [.answer(answer)]
  }

  // MARK: Messages

  private mutating func message(
    _ item: JSONObject, _ at: Timestamp?
  ) -> [SessionEntry.Content] {
    let texts = item.texts("content")
    switch item.string("role") ?? "" {
    case "assistant":
      return answer(at) { $0.text = $1.message(texts.joined(separator: "\n")) }
    case "user":
      answers.addInput()
      let files =
        limits.readsText
        ? item.objects("content").compactMap { $0.string("image_url") }
          .compactMap { SessionFile(dataURL: $0) } : []
      let text = texts.compactMap(Self.typed).joined(separator: "\n")
      return prompt(text, files, .item)
    default: return []
    }
  }

  private mutating func prompt(
    _ text: String, _ files: [SessionFile], _ form: CodexPrompts.Form
  ) -> [SessionEntry.Content] {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty || !files.isEmpty, prompts.isNew(text, form) else { return [] }
    return [.prompt(SessionPrompt(text: limits.message(text), files: files))]
  }

  /// Returns the words of a person in the given text; nil if Codex wrote all of it.
  ///
  /// A person may type an element, too.
  private static func typed(_ whole: String) -> String? {
    let text = whole.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasPrefix("# AGENTS.md instructions"), text.hasSuffix("</INSTRUCTIONS>") { return nil }
    guard text.hasPrefix("<"), let end = text.firstIndex(of: ">") else { return whole }
    let name = text[text.index(after: text.startIndex)..<end].prefix { !$0.isWhitespace }
    guard text.hasSuffix("</\(name)>") else { return whole }
    if name == "user_shell_command" { return shellCommand(text) }
    return injected.contains(name.lowercased()) ? nil : whole
  }

  /// Returns the shell command in the given element, as it was typed.
  private static func shellCommand(_ element: String) -> String? {
    guard let start = element.range(of: "<command>"),
      let end = ["\n</command>\n<result>", "</command>"].lazy.compactMap({
        element.range(of: $0, range: start.upperBound..<element.endIndex)
      }).first
    else { return nil }
    let command = element[start.upperBound..<end.lowerBound]
    return "!" + command.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // MARK: Tools

  private mutating func toolCall(
    _ item: JSONObject, _ at: Timestamp?
  ) -> SessionEntry.Content {
    prompts.forget()
    var answer = SessionAnswer(id: answers.add(session, at), model: usage.model)
    let kind = String(item.type.replacing("_call", with: ""))
    let arguments = ["arguments", "input", "action"].lazy.compactMap { [limits] in
      item.arguments($0, limits)
    }.first
    answer.toolCalls = [
      SessionToolCall(
        id: item.string("call_id") ?? item.string("id") ?? "\(answer.id) \(kind)",
        name: item.string("name") ?? kind, arguments: arguments)
    ]
    return .answer(answer)
  }

  private mutating func result(_ item: JSONObject) -> [SessionEntry.Content] {
    answers.addInput()
    guard let call = item.string("call_id") else { return [] }
    let output = item.object("output")
    var text = item.texts("output").joined(separator: "\n")
    if let output { text = output.texts("content").joined(separator: "\n") }
    var isError = output.map { $0.has("success") && !$0.isTrue("success") } ?? false
    // Some tools return their output and status as JSON in a text.
    if text.hasPrefix("{"), let whole = JSONObject(text), let inner = whole.string("output") {
      text = inner
      isError = whole.object("metadata")?.integer("exit_code").map { $0 != 0 } ?? false
    }
    return [.result(SessionResult(call: call, text: limits.output(text), isError: isError))]
  }
}
