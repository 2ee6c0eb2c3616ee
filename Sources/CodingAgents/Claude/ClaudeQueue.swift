import Core

/// The prompts that a person typed while Claude Code worked.
///
/// Most of them appear later as prompts or attachments. Some versions only remove them from the
/// queue.
struct ClaudeQueue: Codable, Sendable, Hashable {
  /// A prompt in the queue.
  struct Item: Codable, Hashable {
    /// The text, cut at the limit; nil if the program added the prompt.
    var text: String?
    var digest: String
    var at: Timestamp?
    /// `true` once the agent has taken the prompt.
    var isTaken = false
  }

  /// The largest number of prompts that are remembered.
  private static let most = 100

  private var items: [Item] = []

  private static func digest(_ text: String) -> String { SHA256Digest.base64(Array(text.utf8)) }

  /// Adds a prompt.
  mutating func add(_ prompt: ClaudePrompt, _ limits: SessionLimits, at instant: Timestamp?) {
    let isTyped = !prompt.words.isEmpty && !SessionPrompt.isCommand(prompt.words)
    let item = Item(
      text: isTyped ? limits.message(prompt.words) : nil, digest: Self.digest(prompt.shown),
      at: instant)
    items = items.suffix(Self.most - 1) + [item]
  }

  /// Records that the agent took the first prompt.
  mutating func take() {
    guard let place = items.firstIndex(where: { !$0.isTaken }) else { return }
    items[place].isTaken = true
  }

  /// Removes the prompts that wait, because the person edits them.
  mutating func clear() { items.removeAll { !$0.isTaken } }

  /// Records that the transcript shows the given prompt.
  ///
  /// The program may have changed its text.
  mutating func show(_ text: String) {
    let digest = Self.digest(text)
    let place =
      items.firstIndex { $0.digest == digest } ?? items.firstIndex(where: \.isTaken)
    if let place { items.remove(at: place) }
  }

  /// Removes and returns the prompts that the agent took and the transcript did not show.
  mutating func takeUnseen() -> [Item] {
    defer { items.removeAll(where: \.isTaken) }
    return items.filter { $0.isTaken && $0.text != nil }
  }

  /// The prompts that the agent took and the transcript did not show, and those that wait.
  var left: [Item] { items.filter { $0.text != nil } }
}
