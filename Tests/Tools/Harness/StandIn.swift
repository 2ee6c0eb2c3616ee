import Foundation
import TestSupport

/// A stand-in of a coding agent, which writes session files as the agent does.
struct StandIn: Sendable {
  /// The stand-in's process.
  let running: Running

  /// Starts a stand-in in the folder `work`, and waits until it has begun its session.
  init(
    _ scratch: Scratch, _ agent: String, _ session: String, onTerminal isOnTerminal: Bool = false
  ) async throws {
    let script = "\(Places.tests)/Support/Servers/agent_standin.py"
    let words = ["python3", script, agent, session, scratch.path("work")]
    running =
      isOnTerminal
      ? try Terminal(scratch, words.joined(separator: " ")).running
      : try scratch.running(words, "\(agent) \(session)", input: nil)
    try await scratch.until("\(agent) has begun") { [running] in running.output.contains("done") }
  }

  /// Runs the given commands, and waits until they are done.
  func run(_ commands: String...) async throws {
    for command in commands {
      let count = answers
      running.writer?.write(command + "\n")
      try await running.scratch.until("\(command) is done") { answers > count }
    }
  }

  private var answers: Int { running.output.components(separatedBy: "done").count }

  /// Ends the stand-in.
  func end() async {
    running.writer?.write("exit\n")
    await running.ended()
  }
}
