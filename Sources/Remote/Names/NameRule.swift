import Core
import Foundation

/// The rules for the names of hosts and users, and for ports.
///
/// They exclude any text that another program, a shell or a known_hosts line would interpret.
enum NameRule {
  /// Returns `true` if the text is a valid host name or address.
  static func isHost(_ text: String) -> Bool {
    if text.utf8.contains(UInt8(ascii: ":")) { return isAddress(text) }
    let refused = "'`\"$\\;&<>|(){}@?*#[],!/%="
    return isPlain(text) && text.utf8.allSatisfy { $0 < 0x80 && !refused.utf8.contains($0) }
      && HostIdentity.isRecordable(text)
  }

  /// Returns `true` if the text is a valid user name.
  ///
  /// It may have a domain (`DOMAIN\user`), and spaces that no dash follows, as for ssh(1).
  static func isUser(_ text: String) -> Bool {
    isPlain(text.replacing(" ", with: "_")) && !text.contains(" -") && text.last != "\\"
      && !text.utf8.contains { "'`\";&<>|(){}".utf8.contains($0) }
  }

  /// Returns the port that the text states; nil if the text is not a number from 1 to 65535.
  static func port(_ text: some StringProtocol) -> Int? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isDigit }),
      let port = Int(text), 1...65535 ~= port
    else { return nil }
    return port
  }

  /// Returns `true` if the text is an IPv6 address (inet_pton(3)).
  ///
  /// It may have a zone.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    var address = in6_addr()
    guard let first = parts.first,
      first.utf8.allSatisfy({ "0123456789abcdefABCDEF:.".utf8.contains($0) }),
      inet_pton(AF_INET6, String(first), &address) == 1
    else { return false }
    return parts.count == 1
      || (1...64).contains(parts[1].utf8.count)
        && parts[1].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
  }

  /// Returns `true` if the text has only visible characters, no blanks, and no dash at its start.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 && text.utf8.first != UInt8(ascii: "-")
      && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
      && Visible.text(text) == text
  }
}
