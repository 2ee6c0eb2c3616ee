import Core
import Processes

/// A command that gets each alert as a line on its standard input.
struct CommandChannel: PushChannel {
  let program: PushProgram
  let command: [String]

  func send(_ message: PushMessage) async throws(Failure) {
    try await program.run(command, input: try message.line() + [0x0A])
  }
}
