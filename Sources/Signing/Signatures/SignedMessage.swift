import Core

/// The parts of a request that can be signed (RFC 9421, section 2).
public struct SignedMessage: Sendable {
  /// The request's method, such as `GET`.
  public var method: String
  /// The host, and the port if it is not the scheme's default.
  public var authority: String
  /// The path as it was sent, with its percent encoding.
  public var path: String
  /// The query after the question mark; nil if there is none.
  public var query: String?
  /// The header fields.
  public var fields: [(name: String, value: String)]

  /// Creates the parts of a request.
  public init(
    method: String, authority: String, path: String, query: String? = nil,
    fields: [(name: String, value: String)] = []
  ) {
    (self.method, self.authority, self.path) = (method, authority.lowercased(), path)
    (self.query, self.fields) = (query, fields)
  }

  /// Returns the value of the component with the given name; nil if the request does not have it.
  func value(of component: String) -> String? {
    switch component {
    case "@method": return method
    case "@authority": return authority
    case "@path": return path.isEmpty ? "/" : path
    case "@query": return "?" + (query ?? "")
    default:
      guard !component.hasPrefix("@") else { return nil }
      let values = fields.filter { $0.name.lowercased() == component }.map(\.value.trimmed)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
  }

  /// Returns the signature base: the bytes that are signed (RFC 9421, section 2.5).
  ///
  /// - Parameters:
  ///   - components: The names of the covered components in order.
  ///   - parameters: The value of `@signature-params`.
  /// - Returns: The bytes; nil if a component is missing or is not printable ASCII.
  func base(_ components: [String], parameters: String) -> [UInt8]? {
    var text = ""
    for component in components {
      guard let value = value(of: component), value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
      else { return nil }
      text += "\"\(component)\": \(value)\n"
    }
    return Array((text + "\"@signature-params\": \(parameters)").utf8)
  }
}

extension String {
  /// The text without leading and trailing spaces and tabs.
  fileprivate var trimmed: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
