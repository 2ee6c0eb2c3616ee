import Core
import Foundation
import Processes

/// Messages to a mailbox, by sendmail(8).
///
/// The program gets a whole message (RFC 5322) and its recipient from the message's `To`.
struct MailChannel: PushChannel {
  private let program: PushProgram
  private let address: String

  /// Creates the channel to the given mailbox.
  ///
  /// - Throws: `BadUsage` if the address is not one mailbox such as `ops@example.org`.
  init(_ program: PushProgram, to address: String) throws(Failure) {
    guard Self.isMailbox(address) else {
      let shown = Visible.line(String(address.prefix(100)))
      throw Failure(
        .badUsage, "'\(shown)' is not a mailbox such as ops@example.org", input: shown)
    }
    (self.program, self.address) = (program, address)
  }

  func send(_ message: PushMessage) async throws(Failure) {
    let path = try program.find(
      ["sendmail", "/usr/sbin/sendmail", "/usr/lib/sendmail"], "install a mail transfer agent")
    try await program.run([path, "-t", "-i"], input: Array(text(message, at: .now).utf8))
  }

  /// Returns the whole mail.
  ///
  /// A text of an alert has no line end, or is encoded, so that it cannot add a header field. The
  /// body is encoded if it is not plain ASCII.
  func text(_ message: PushMessage, at now: Timestamp) -> String {
    let digest = SHA256Digest.hexadecimal(Array(message.id.utf8)).prefix(32)
    let domain = address.split(separator: "@").last ?? "localhost"
    let words = [message.text, message.url].compactMap { $0 }.joined(separator: "\n") + "\n"
    let isPlain = Self.isPlain(words)
    let body =
      isPlain
      ? words
      : Data(words.utf8).base64EncodedString(
        options: [.lineLength76Characters, .endLineWithLineFeed]) + "\n"
    return """
      To: \(address)
      Subject: \(Self.fieldText("\(message.title): \(message.summary.prefix(100))"))
      Date: \(Self.date(now))
      Message-ID: <\(digest)@\(domain)>
      Auto-Submitted: auto-generated
      X-Priority: \(message.alert.severity >= .critical ? "1" : "3")
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")

      \(body)
      """
  }

  /// Returns `true` if the text is one address without quotes (RFC 5322, section 3.4.1: dot-atom).
  static func isMailbox(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let isAtom = { (part: Substring) in
      part.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
        !atom.isEmpty
          && atom.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
          }
      }
    }
    return parts.count == 2 && text.utf8.count <= 254 && parts.allSatisfy(isAtom)
      && !text.hasPrefix("-")
  }

  /// Returns `true` if the text is ASCII without control characters, in lines that any server
  /// accepts (RFC 5322, section 2.1.1).
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.split(separator: 0x0A).allSatisfy { line in
      line.count <= 998 && line.allSatisfy { 0x20...0x7E ~= $0 }
    }
  }

  /// Returns the text as the value of a header field.
  ///
  /// A text that could be read as an encoded word is encoded too.
  private static func fieldText(_ text: String) -> String {
    let isOneLine = !text.contains("\n") && isPlain(text)
    return isOneLine && !text.contains("=?") ? text : encodedWords(text)
  }

  /// Returns the text as encoded words of at most 75 characters, one on each line (RFC 2047).
  private static func encodedWords(_ text: String) -> String {
    var words: [String] = []
    var word = ""
    for character in text {
      if word.utf8.count + character.utf8.count > 39 {
        words.append(word)
        word = ""
      }
      word.append(character.utf8.count > 39 ? "?" : character)
    }
    words.append(word)
    return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\n ")
  }

  /// Returns the date in the form of RFC 5322, section 3.3, in UTC.
  private static func date(_ now: Timestamp) -> String {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(identifier: "UTC")
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return form.string(from: Date(timeIntervalSince1970: Double(now.milliseconds) / 1000))
  }
}
