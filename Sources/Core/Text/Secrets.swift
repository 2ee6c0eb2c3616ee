import Foundation
import Synchronization

/// Knows the secrets this process has read, so that none of them leaves it in a text.
public enum Secrets {
  /// The longest first: of two that begin alike, the longer one is looked for first.
  private static let known = Mutex<[[UInt8]]>([])

  /// Remembers a secret; every text for people, logs and records goes through ``shown(_:)`` or
  /// ``redacted(_:)``.
  public static func register(_ secret: String) {
    let bytes = Array(secret.utf8)
    // Shorter ones would blank out ordinary words.
    guard bytes.count >= 6 else { return }
    known.withLock { known in
      guard !known.contains(bytes) else { return }
      known.insert(bytes, at: known.firstIndex { $0.count < bytes.count } ?? known.endIndex)
    }
  }

  /// Whether no secret is known.
  public static var isEmpty: Bool { known.withLock { $0.isEmpty } }

  /// The text with every known secret replaced.
  public static func redacted(_ text: String) -> String {
    var mask = SecretMask()
    return mask.mask(text) + mask.finish()
  }

  /// A text of our own as it may be shown: without known secrets, and no URL in it with userinfo.
  public static func shown(_ text: String) -> String { redacted(ShownURL.inText(text)) }

  /// The secrets as UTF-8, the longest first.
  static var all: [[UInt8]] { known.withLock { $0 } }
}
