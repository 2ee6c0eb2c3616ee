import Core

/// The overview of a hub that has received nothing yet.
extension PageFrame {
  /// The view that says how agents appear.
  static var beginning: PageFrame {
    PageFrame(
      "Overview", in: .overview, freshness: .view,
      parts: [
        HTML(
          .p, [.class("lead")],
          HTML(
            text:
              "No agent has reported yet. As soon as one does, this page shows what it does, what "
              + "it asks you, and what goes wrong.")),
        HTML(.h2, [], "To begin"),
        HTML(.p, [], "In a terminal on the machine of this hub, type one of these:"),
        HTML(
          .dl, [.class("steps")],
          parts: [
            (
              "Show the sessions of Claude Code, Codex, OpenCode and Gemini CLI, also those that "
                + "already run", "agent-adopt --follow"
            ),
            ("Show another program as an agent, here make", "agent-run -- make"),
            (
              "Ask here before Claude Code uses a tool",
              "gate-decide hook --setup claude --write"
            ),
          ].map { purpose, command in
            HTML(
              .div, [], HTML(.dt, [], HTML(text: purpose)),
              HTML(.dd, [], HTML(.pre, [], HTML(text: command))))
          }),
        HTML(
          .p, [], "To be notified when an agent waits for you, open ",
          HTML(.a, [HTMLAttribute(.href, Section.device.address)], "Device"), "."),
      ])
  }
}
