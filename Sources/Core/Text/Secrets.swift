import Foundation
import Synchronization

/// The secrets that this process has read, which are removed from all its output.
public enum Secrets {
  /// The secrets, the longest first, so that a longer secret wins over its own prefix.
  private static let known = Mutex<[[UInt8]]>([])

  /// Registers the given secret, which ``shown(_:)`` and ``redacted(_:)`` then replace.
  ///
  /// All text for people, logs and records passes through one of the two.
  public static func register(_ secret: String) {
    let bytes = Array(secret.utf8)
    // Shorter secrets would also match ordinary words.
    guard bytes.count >= 6 else { return }
    known.withLock { known in
      guard !known.contains(bytes) else { return }
      known.insert(bytes, at: known.firstIndex { $0.count < bytes.count } ?? known.endIndex)
    }
  }

  /// `true` if no secret is registered.
  public static var isEmpty: Bool { known.withLock { $0.isEmpty } }

  /// Returns the text with every known secret replaced.
  public static func redacted(_ text: String) -> String {
    var mask = SecretMask()
    return mask.mask(text) + mask.finish()
  }

  /// Returns the given text in a form that is safe to show: known secrets replaced, URLs without
  /// userinfo.
  public static func shown(_ text: String) -> String { redacted(ShownURL.inText(text)) }

  /// The secrets as UTF-8, the longest first.
  static var all: [[UInt8]] { known.withLock { $0 } }
}
