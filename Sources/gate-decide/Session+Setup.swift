import Command
import Core
import Hooks

extension Session {
  /// Prints the settings of an agent that run the hook, or adds them to the agent's file.
  func setUp(_ agent: HookAgent, writes: Bool) throws(Failure) {
    let settings = AgentSettings(
      agent, tool: OwnTool.path("gate-decide"), environment: environment)
    if writes {
      let written = try settings.write()
      let copy = written?.copy.map { "; '\($0)' is the file as it was" } ?? ""
      diagnostics.report(
        written.map { "added the hook to '\($0.file)'\(copy)" }
          ?? "'\(settings.path)' has the hook already")
    } else {
      try output.write(text: settings.text)
      diagnostics.report("add this to '\(settings.path)', or repeat the command with --write")
    }
    for note in settings.notes { diagnostics.report(note) }
  }
}
