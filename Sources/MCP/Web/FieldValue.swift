import Foundation

/// The encoding of values that travel in header fields (2026-07-28, "Value Encoding").
package enum FieldValue {
  private static let prefix = "=?base64?"
  private static let suffix = "?="

  /// Returns the given value as a field's value: unchanged if it is plain ASCII, otherwise as
  /// base64 between marks.
  package static func encoded(_ value: String) -> String {
    guard !isPlain(value) else { return value }
    return prefix + Data(value.utf8).base64EncodedString() + suffix
  }

  /// Returns `true` if a server reads the value as it is.
  private static func isPlain(_ value: String) -> Bool {
    let bytes = value.utf8
    guard bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else { return false }
    guard bytes.first != 0x20, bytes.last != 0x20 else { return false }
    // A plain value with these marks would be decoded.
    return !(bytes.starts(with: prefix.utf8) && value.hasSuffix(suffix))
  }
}
