import CodingAgents
import Command
import Core
import Foundation
import Hooks

extension Session {
  /// Prints the settings of an agent that run the hook, or adds them to the agent's file.
  func setUp(_ agent: CodingAgent, writes: Bool) throws(Failure) {
    let tool = "gate-decide"
    // The agent finds the command as a shell does. A folder of a build may be deleted.
    let isFound = (environment["PATH"] ?? "").split(separator: ":")
      .contains { $0.hasPrefix("/") && access("\($0)/\(tool)", X_OK) == 0 }
    let settings = AgentSettings(
      agent, tool: isFound ? tool : OwnTool.path(tool), environment: environment)
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
    if !isFound { diagnostics.report("'\(tool)' is not in PATH, so the settings name its path") }
    for note in settings.notes { diagnostics.report(note) }
  }
}
