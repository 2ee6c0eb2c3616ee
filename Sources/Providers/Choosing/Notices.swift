import Core
import Synchronization

/// Sentences for a person, each of which is said once in the life of a process.
final class Notices: Sendable {
  /// The sentences of this process.
  static let shared = Notices()

  private let said = Mutex<Set<String>>([])

  /// Says a sentence, unless it was said before.
  func say(_ sentence: String) {
    guard said.withLock({ $0.insert(sentence).inserted }) else { return }
    Diagnostics.shared.say(sentence)
  }
}
