extension HookSupport {
  /// The hooks of Codex, tried with versions 0.154 and 0.163.
  static let codex = HookSupport(
    deadline: 570, file: "hooks.json",
    events: [permissionRequest, preToolUse].map {
      Event(name: $0, matcher: ".*", facts: #""timeout": 600"#)
    },
    decidable: [preToolUse, permissionRequest],
    // Codex runs the tool after a PreToolUse hook without a decision.
    prompting: [permissionRequest], ownMember: "turn_id",
    notes: [
      "PreToolUse opens gates for 'codex exec', which asks nobody; elsewhere it applies the rules",
      "trust the commands in /hooks; Codex skips an untrusted hook without a message",
      "'codex exec' runs hooks only with --dangerously-bypass-hook-trust",
      "if the hook dies, only Codex's own approval policy and sandbox hold",
    ],
    output: { event, decision, reason in
      // Codex treats `allow` as a fault of the hook; without output, its own rules apply.
      event == preToolUse && decision == .allow ? "" : output(at: event, decision, reason)
    })
}
