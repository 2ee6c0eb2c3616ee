extension HookSupport {
  /// The hooks of Claude Code 2.1.
  static let claude = HookSupport(
    deadline: 570, file: "settings.json",
    events: [
      Event(name: permissionRequest, matcher: "*", facts: deciding),
      Event(
        name: preToolUse, matcher: "Bash|Edit|MultiEdit|Write|NotebookEdit|WebFetch|mcp__.*",
        facts: deciding),
    ]
      + (ends + [stop]).map { Event(name: $0, matcher: "*", facts: #""timeout": 10"#) },
    decidable: [preToolUse, permissionRequest], prompting: [preToolUse, permissionRequest],
    callEnds: Set(ends), turnEnds: [stop],
    notes: [
      "PreToolUse opens gates for 'claude -p', which asks nobody; elsewhere it applies the rules",
      "the other events withdraw the gate of a prompt that was answered at the terminal",
      "'onFailure' blocks a call if the hook dies; Claude Code ignores it before 2.1.295",
      "in an interactive session, no hook runs before you trust the folder",
    ],
    output: { output(at: $0, $1, $2) })

  private static let ends = ["PostToolUse", "PostToolUseFailure"]
  private static let stop = "Stop"
  private static let deciding = "\"timeout\": 600,\n      \"onFailure\": \"block\""
}
