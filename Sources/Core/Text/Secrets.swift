import Foundation
import Synchronization

/// The secrets that this process has read.
///
/// They are removed from all its output.
public enum Secrets {
  /// The secrets, with the longest first.
  ///
  /// A longer secret is therefore replaced before its prefix.
  private static let known = Mutex<[[UInt8]]>([])

  /// Registers the given secret.
  ///
  /// ``shown(_:)`` and ``redacted(_:)`` then replace it. All text for people, logs and records
  /// passes through one of these two functions.
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

  /// Returns the given text with every known secret replaced.
  public static func redacted(_ text: String) -> String {
    var mask = SecretMask()
    return mask.mask(text) + mask.finish()
  }

  /// Returns the given text with known secrets replaced and without userinfo in URLs.
  public static func shown(_ text: String) -> String { redacted(ShownURL.inText(text)) }

  /// The secrets as UTF-8, the longest first.
  static var all: [[UInt8]] { known.withLock { $0 } }
}
