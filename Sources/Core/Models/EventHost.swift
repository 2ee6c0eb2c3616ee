import Foundation

/// The names of machines in events, and in records about them.
///
/// A machine chooses its own name. The name shows where an event came from, but proves nothing.
public enum EventHost {
  /// The maximum length of a name, as on Linux (gethostname(2)).
  private static let longest = 64

  /// The name of this machine; nil if it has none.
  ///
  /// Characters that a name must not have are replaced by `-`.
  public static let own: String? = {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
    let name = bytes.prefix { $0 != 0 }.prefix(longest).map { UInt8(bitPattern: $0) }
      .map { isAllowed($0) ? $0 : UInt8(ascii: "-") }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }()

  /// Returns `true` if the given text may be the name of a machine.
  ///
  /// It has 1 to 64 characters: ASCII letters, digits, and `.`, `-` and `_`.
  public static func isName(_ text: String) -> Bool {
    1...longest ~= text.utf8.count && text.utf8.allSatisfy(isAllowed)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || ".-_".utf8.contains(byte)
  }
}
