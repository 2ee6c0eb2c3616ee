import Core
import Foundation

/// An address that a page may name: one of the hub's own page, or one of the web.
public struct HTMLAddress: Sendable, Hashable {
  /// The path below which the hub serves its page.
  public static let root = WebLinks.page

  /// The address as a URL reference (RFC 3986, section 4.1).
  public let text: String

  /// Creates the address of a part of the hub's page.
  ///
  /// - Parameters:
  ///   - parts: The parts of the path below ``root``. All but unreserved characters are
  ///     percent-encoded.
  ///   - query: The names and values of the query.
  public init(_ parts: String..., query: [(name: String, value: String)] = []) {
    let path = parts.map { "/" + $0.percentEncoded }.joined()
    let pairs = query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
    text = Self.root + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// Creates the address of the view of the record with the given id.
  ///
  /// Returns nil for `.` and `..`, which a browser resolves (URL Standard, section 4.4) however they
  /// are encoded.
  init?(of id: String, in kind: String) {
    guard ![".", ".."].contains(id) else { return nil }
    self.init(kind, id)
  }

  /// Creates the address of the element with the given id on the same page.
  init(element id: StaticString) { text = "#\(id)" }

  /// Creates an address of the web; returns nil unless it is an absolute http or https URL.
  public init?(web text: String) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
      text.dropFirst(scheme.count).hasPrefix("://"), let url = URLComponents(string: text),
      url.host?.isEmpty == false, url.user == nil, url.password == nil
    else { return nil }
    self.text = text
  }
}
