import Synchronization

/// Knows the secrets this process has read, so that none of them leaves it in a text.
public enum Secrets {
  private static let known = Mutex<Set<String>>([])

  /// Remembers a secret; every text for people, logs and records goes through ``redacted(_:)``.
  public static func register(_ secret: String) {
    // Shorter ones would blank out ordinary words.
    guard secret.utf8.count >= 6 else { return }
    known.withLock { _ = $0.insert(secret) }
  }

  /// The text with every known secret replaced.
  public static func redacted(_ text: String) -> String {
    known.withLock { known in
      // The longest first: one that holds another must not lose only that part.
      known.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) { text, secret in
        text.contains(secret)
          ? text.split(separator: secret, omittingEmptySubsequences: false)
            .joined(separator: "[redacted]") : text
      }
    }
  }
}
