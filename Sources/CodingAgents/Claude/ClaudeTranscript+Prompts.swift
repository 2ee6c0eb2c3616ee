import Core
import Foundation

/// The words of persons in a session of Claude Code, which stand in several kinds of lines.
extension ClaudeTranscript {
  /// The kinds of attachments without words of a person.
  private static let asides: Set = [
    "agent_listing_delta", "agent_mention", "already_read_file", "async_hook_response",
    "auto_mode", "auto_mode_exit", "background_task_status", "budget_usd", "command_permissions",
    "compact_file_reference", "compaction_reminder", "critical_system_reminder",
    "current_session_memory", "date", "date_change", "deferred_tools_delta", "diagnostics",
    "directory", "dynamic_skill", "edited_image_file", "edited_text_file", "environment", "file",
    "invoked_skills", "max_turns_reached", "mcp_instructions_delta", "mcp_resource", "model",
    "nested_memory", "new_file", "opened_file_in_ide", "output_style", "output_token_usage",
    "pdf_reference", "plan_file_reference", "plan_mode", "plan_mode_exit", "plan_mode_reentry",
    "prompt_snapshot", "relevant_memories", "remote_session_change", "selected_lines_in_ide",
    "session_context", "skill_discovery", "skill_listing", "structured_output", "task_reminder",
    "task_status", "team_context", "teammate_mailbox", "todo", "todo_reminder", "token_usage",
    "ultramemory", "ultrathink_effort", "verify_plan_reminder",
  ]
  /// The name of the file with the prompts of all sessions, without its ending.
  static let historyName = "history"

  /// `true` if the file contains the prompts of all sessions, and no answers.
  var isHistory: Bool { file.id == Self.historyName && file.subagent == nil }

  /// Returns the prompt in the given texts and files.
  mutating func prompt(_ texts: [String], _ files: [SessionFile]) -> [SessionEntry.Content] {
    guard !texts.isEmpty || !files.isEmpty else { return [] }
    let prompts = texts.map(ClaudePrompt.init)
    let typed = zip(texts, prompts).filter { $0.isEmpty || !$1.words.isEmpty }
    let words = typed.map(\.1.words).joined(separator: "\n")
    queue.show(prompts.map(\.shown).filter { !$0.isEmpty }.joined(separator: "\n"))
    var found: [SessionEntry.Content] = []
    if prompts.contains(where: \.isInterruption) { found.append(.turn(.interrupted)) }
    guard !words.isEmpty || !files.isEmpty else { return found }
    return found + [.prompt(SessionPrompt(text: limits.message(words), files: files))]
  }

  /// Returns the contents of the given attachment: a prompt, if it was typed during an answer.
  mutating func attachment(_ attachment: JSONObject) -> [SessionEntry.Content] {
    switch attachment.type {
    case "queued_command":
      guard !attachment.isTrue("isMeta") else { return [] }
      let isShell = attachment.string("commandMode") == "bash"
      let texts = attachment.texts("prompt").map { isShell ? "!\($0)" : $0 }
      let blocks = attachment.objects("prompt").filter { ["image", "document"].contains($0.type) }
      return prompt(texts, blocks.flatMap(file))
    case let type where Self.asides.contains(type) || type.hasPrefix("hook_"): return []
    case let type: return [.unknown(EntryKind.name("attachment", type))]
    }
  }

  // MARK: The queue

  /// Records a change of the queue of prompts.
  mutating func queued(_ line: JSONObject) -> [SessionEntry.Content] {
    switch line.string("operation") ?? "" {
    case "enqueue":
      let text = line.texts("content").joined(separator: "\n")
      queue.add(ClaudePrompt(text), limits, at: line.timestamp)
    case "dequeue", "remove": queue.take()
    case "popAll": queue.clear()
    case let operation: return [.unknown(EntryKind.name("queue-operation", operation))]
    }
    return []
  }

  /// Returns the prompts that the agent took from the queue and that no line contains.
  mutating func takeUnseenPrompts() -> [SessionEntry] {
    queue.takeUnseen().map { item in
      SessionEntry(session, .prompt(SessionPrompt(text: item.text ?? "")), at: item.at)
    }
  }

  /// Returns the prompts that the agent had not taken when the file ended, or that it took last.
  public func end() -> [SessionEntry] {
    let key = SessionKey(.claude, session.id)
    return queue.left.map { item in
      var prompt = SessionPrompt(text: item.text ?? "")
      prompt.isWaiting = true
      return SessionEntry(key, .prompt(prompt), at: item.at)
    }
  }

  // MARK: The history

  /// Returns the prompt of a line of the file with the prompts of all sessions.
  func history(_ line: JSONObject) -> [SessionEntry] {
    guard let text = line.string("display"), let id = line.string("sessionId") else {
      let missing = line.has("display") ? "sessionId" : "display"
      return [SessionEntry(file, .unknown("history without \(missing)"), at: nil)]
    }
    var facts = SessionFacts()
    (facts.folder, facts.isPromptsOnly) = (line.string("project"), true)
    let words = Self.pasted(line.object("pastedContents"), into: text)
    let prompt = SessionPrompt(text: limits.message(words))
    let (key, at) = (SessionKey(.claude, id), line.instant("timestamp"))
    let entries = [SessionEntry(key, .facts(facts), at: at)]
    return words.isEmpty ? entries : entries + [SessionEntry(key, .prompt(prompt), at: at)]
  }

  /// Returns the given prompt with the texts whose places it states, such as `[Pasted text #1]`.
  private static func pasted(_ contents: JSONObject?, into text: String) -> String {
    guard let contents, text.contains("[Pasted text #") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.range(of: "[Pasted text #"),
      let end = rest[start.upperBound...]
        .firstIndex(of: "]")
    {
      let number = rest[start.upperBound...].prefix(while: \.isNumber)
      let content = contents.object(String(number))?.string("content")
      let behind = rest.index(after: end)
      result += rest[..<start.lowerBound]
      result += content ?? String(rest[start.lowerBound..<behind])
      rest = rest[behind...]
    }
    return result + rest
  }
}
