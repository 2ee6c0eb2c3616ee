import Foundation
import Synchronization

/// The secrets that this process has read.
///
/// They are removed from all its output.
public enum Secrets {
  private static let known = Mutex(SecretSet())

  /// Registers the given secret.
  ///
  /// ``shown(_:)`` and ``redacted(_:)`` then replace it. All text for people, logs and records
  /// passes through one of these two functions.
  public static func register(_ secret: String) {
    let bytes = Array(secret.utf8)
    // Shorter secrets would also match ordinary words.
    guard bytes.count >= 6 else { return }
    known.withLock { $0.insert(bytes) }
  }

  /// `true` if no secret is registered.
  public static var isEmpty: Bool { known.withLock { $0.isEmpty } }

  /// Returns the given text with every known secret replaced.
  public static func redacted(_ text: String) -> String {
    var mask = SecretMask()
    return mask.mask(text) + mask.finish()
  }

  /// Returns the given text with known secrets and userinfo in URLs replaced.
  public static func shown(_ text: String) -> String { redacted(ShownURL.inText(text)) }

  /// The secrets as UTF-8.
  static var all: SecretSet { known.withLock { $0 } }
}
