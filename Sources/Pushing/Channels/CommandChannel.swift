import Core
import Processes

/// A command that gets each alert as a line on its standard input.
struct CommandChannel: PushChannel {
  let program: PushProgram
  let command: [String]

  func send(_ message: PushMessage) async throws(Failure) {
    let found = try program.find([command[0]], "install it, or set another 'command'")
    try await program.run([found] + command.dropFirst(), input: try message.line() + [0x0A])
  }
}
