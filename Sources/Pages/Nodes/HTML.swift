import Core

/// A part of a page: a text, an element, or several parts in order.
///
/// It is built from typed parts alone. Text cannot become markup, and there is no part for markup
/// that was written elsewhere.
public struct HTML: Sendable, Hashable {
  private indirect enum Content: Sendable, Hashable {
    case text(String)
    case element(HTMLTag, [HTMLAttribute], [HTML])
    case several([HTML])
  }

  private let content: Content

  /// Creates an element with the given attributes and parts.
  public init(_ tag: HTMLTag, _ attributes: [HTMLAttribute] = [], _ parts: HTML...) {
    content = .element(tag, attributes, parts)
  }

  /// Creates an element with the given attributes and list of parts.
  public init(_ tag: HTMLTag, _ attributes: [HTMLAttribute] = [], parts: [HTML]) {
    content = .element(tag, attributes, parts)
  }

  /// Creates the given untrusted text.
  public init(text: String) { content = .text(text) }

  /// Creates the given parts, in order.
  public init(_ parts: [HTML]) { content = .several(parts) }

  /// The part as UTF-8, as it stands in a document (HTML, section 13.3).
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch content {
    case .text(let text):
      Self.escape(Visible.text(text, keepingLines: true), to: &bytes)
    case .several(let parts):
      for part in parts { part.write(to: &bytes) }
    case .element(let tag, let attributes, let parts):
      bytes += "<\(tag.rawValue)".utf8
      for attribute in attributes {
        bytes += " \(attribute.name)=\"".utf8
        Self.escape(Visible.text(attribute.value, keepingLines: true), to: &bytes)
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: ">"))
      guard !tag.isVoid else { return }
      for part in parts { part.write(to: &bytes) }
      bytes += "</\(tag.rawValue)>".utf8
    }
  }

  /// Appends the given text with character references in place of the characters of markup.
  private static func escape(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: bytes.append(byte)
      }
    }
  }
}

extension HTML: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates the given text.
  public init(stringLiteral text: String) { self.init(text: text) }
}

/// The elements that pages have.
public enum HTMLTag: String, Sendable, Hashable, CaseIterable {
  case a, bdi, blockquote, body, button, code, dd, del, div, dl, dt, em, footer, form, h1, h2, h3,
    h4, h5, h6, head, header, hr, html, input, label, li, link, main, meta, nav, noscript, ol,
    option,
    p, pre, script, section, select, span, strong, table, tbody, td, textarea, th, thead, title, tr,
    ul

  /// `true` if the element has neither parts nor an end tag (HTML, section 13.1.2).
  var isVoid: Bool { [.hr, .input, .link, .meta].contains(self) }
}
