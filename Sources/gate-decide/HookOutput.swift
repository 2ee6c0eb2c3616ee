import CodingAgents
import Core
import Hooks
import Synchronization

/// The answer of a hook, which is printed once.
final class HookOutput: Sendable {
  private struct State {
    var form: HookForm
    var isPrinted = false
  }

  private let agent: CodingAgent?
  private let state: Mutex<State>

  /// Creates the output for a message that was not read yet.
  init(_ agent: CodingAgent?) {
    self.agent = agent
    state = Mutex(State(form: HookMessage.form(ofBroken: [], from: agent)))
  }

  /// Reads a message, whose form the answer then has.
  ///
  /// - Throws: The errors of `HookMessage.init`.
  func read(_ bytes: [UInt8]) throws(Failure) -> HookMessage {
    let message: HookMessage
    do throws(Failure) {
      message = try HookMessage(bytes, from: agent)
    } catch {
      state.withLock { $0.form = HookMessage.form(ofBroken: bytes, from: agent) }
      throw error
    }
    state.withLock { $0.form = message.form }
    return message
  }

  /// Prints the answer, unless an answer was printed.
  ///
  /// - Returns: The exit status: 0, or 2 if the answer could not be written, which blocks the call.
  @discardableResult
  func write(_ answer: HookAnswer) -> Int32 {
    // Under the lock, so that the process does not end while another thread prints.
    state.withLock { state in
      guard !state.isPrinted else { return 0 }
      state.isPrinted = true
      do {
        let text = state.form.text(answer)
        if !text.isEmpty { try RecordWriter().write(text: text) }
        return 0
      } catch {
        return 2
      }
    }
  }

  /// Reads the message on stdin, and denies it because of the given failure.
  func refuse(_ failure: Failure) -> Int32 {
    // The reason is printed in any case; a message that cannot be read only has no form.
    _ = try? read(try Self.input(nil))
    return write(.deny(RequestJudge.reason(failure)))
  }

  /// Reads stdin to its end.
  ///
  /// - Throws: `BadInput` if it is too large; `Interrupted`; `StorageFailed` if it cannot be read.
  static func input(_ interruption: Interruption?) throws(Failure) -> [UInt8] {
    var lines = LineReader(interruption: interruption)
    var bytes: [UInt8] = []
    while let line = try lines.next() {
      guard let part = line.bytes, bytes.count + part.count <= HookMessage.longest else {
        throw Failure(.badInput, "the message of the agent is over 16 MiB", input: "<stdin>")
      }
      bytes += part + [0x0A]
    }
    return bytes
  }
}
