import Chats
import Command
import Core

/// The sum of the tokens and costs of all answers in a loop of tools.
///
/// Each answer shows its own alone.
struct LoopCosts: Sendable {
  private var sums = UsageSums(by: .tool)
  private var hasTools = false

  /// Adds the answer that the given event ends, if it ends one.
  mutating func add(_ event: ChatEvent) {
    guard case .ended(let message) = event else { return }
    if message.toolResults != nil { hasTools = true }
    guard message.role == "assistant" else { return }
    sums.add("", calls: 1, message.usage ?? Usage(), costUSD: message.costUSD)
  }

  /// The sum in words; nil if no tool ran.
  var line: String? {
    guard hasTools, let sum = sums.records.first else { return nil }
    let answers = sum.calls == 1 ? "1 answer" : "\(sum.calls) answers"
    return "\(answers) with tools: \(sum.words)"
  }
}
