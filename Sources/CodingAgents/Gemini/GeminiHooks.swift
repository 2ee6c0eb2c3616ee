extension HookSupport {
  private static let beforeTool = "BeforeTool"

  /// The hooks of Gemini CLI 0.58.
  static let gemini = HookSupport(
    deadline: 55, file: "settings.json",
    events: [Event(name: beforeTool, matcher: ".*", facts: #""timeout": 60000"#)],
    decidable: [beforeTool], prompting: [],
    ownEvents: [
      beforeTool, "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel",
      "BeforeToolSelection", "PreCompress",
    ], ownMember: "timestamp",
    notes: [
      "the time limit is in milliseconds, and the hook answers within 55 seconds",
      "if a signal ends the hook, only Gemini CLI's own question holds: do not use --yolo",
    ],
    silence: "{}\n",
    output: { _, decision, reason in
      decision == .allow
        ? "{\"decision\":\"allow\"}\n" : "{\"decision\":\"deny\",\"reason\":\(reason)}\n"
    })
}
