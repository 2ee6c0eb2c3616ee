public import Core
import Foundation

/// A host as a user names it.
///
/// The forms are `[USER@]HOST[:PORT]`, `[USER@][ADDRESS]:PORT`, an IPv6 address, and
/// `ssh://[USER@]HOST[:PORT]`.
public struct Destination: Sendable, Hashable {
  /// The user to log in as; nil if the text names none.
  public var user: String?
  /// The host: a name, an address without brackets, or an alias in the user's ssh configuration.
  public var host: String
  /// The port; nil if the text names none.
  public var port: Int?

  /// Parses the given operand.
  ///
  /// - Throws: `BadUsage` if the text has none of these forms.
  public init(_ text: String) throws(Failure) {
    let shown = Visible.text(String(text.prefix(300)))
    func failure(_ reason: String) -> Failure {
      Failure(.badUsage, "'\(shown)' is not a host: \(reason)")
    }
    let scheme = "ssh://"
    let isURL = text.lowercased().hasPrefix(scheme)
    var rest = isURL ? text.dropFirst(scheme.count) : text[...]
    if isURL, rest.last == "/" { rest = rest.dropLast() }
    if let at = rest.lastIndex(of: "@") {
      let name = String(rest[..<at])
      guard let user = isURL ? name.removingPercentEncoding : name, NameRule.isUser(user) else {
        throw failure("the user name is empty or invalid")
      }
      self.user = user
      rest = rest[rest.index(after: at)...]
    }
    let (host, port) = Self.parts(rest)
    guard !host.isEmpty else { throw failure("the host is missing") }
    guard NameRule.isHost(host) else { throw failure("the host is not a name or an address") }
    self.host = host
    guard let port else { return }
    guard let number = NameRule.port(port) else {
      throw failure("the port must be a number from 1 to 65535")
    }
    self.port = number
  }

  /// Splits the given text into the host without brackets, and the text after the colon; nil if
  /// there is none.
  private static func parts(_ text: Substring) -> (host: String, port: Substring?) {
    if text.first == "[", let end = text.firstIndex(of: "]") {
      let host = String(text[..<end].dropFirst())
      let after = text[text.index(after: end)...]
      if after.isEmpty { return (host, nil) }
      if after.first == ":" { return (host, after.dropFirst()) }
    }
    guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else {
      return (String(text), nil)
    }
    return (String(text[..<colon]), text[text.index(after: colon)...])
  }
}
