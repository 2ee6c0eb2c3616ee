public import Core
import Foundation

extension Session {
  /// Reads a secret from stdin.
  ///
  /// If stdin is a terminal, a prompt is shown and echo is off.
  ///
  /// - Throws: `BadInput` if the secret is empty; `Interrupted` if the process is interrupted.
  public func secret(prompt: String) throws(Failure) -> String {
    var reader = LineReader(interruption: interruption)
    let saved = hideTyping()
    defer { showTyping(saved) }
    if saved != nil { diagnostics.report(prompt) }
    guard let bytes = try reader.next()?.bytes, !bytes.isEmpty,
      let text = String(validating: bytes, as: UTF8.self)
    else { throw Failure(.badInput, "no secret on stdin", input: "<stdin>:1") }
    let secret = text.trimmingCharacters(in: .whitespaces)
    Secrets.register(secret)
    return secret
  }

  /// Turns off the terminal's echo (termios(3)).
  ///
  /// - Returns: The previous modes; nil if stdin is not a terminal.
  private func hideTyping() -> termios? {
    var state = termios()
    guard tcgetattr(0, &state) == 0 else { return nil }
    var quiet = state
    quiet.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(0, TCSAFLUSH, &quiet)
    return state
  }

  private func showTyping(_ saved: termios?) {
    guard var saved else { return }
    tcsetattr(0, TCSAFLUSH, &saved)
  }
}
