import Core

/// What of a request can be signed (RFC 9421, section 2).
public struct SignedMessage: Sendable {
  /// The method.
  public var method: String
  /// The host, and the port where it is not the usual one of its scheme.
  public var authority: String
  /// The path as it is sent, percent signs and all.
  public var path: String
  /// What follows the question mark; nil without one.
  public var query: String?
  /// The fields of the head.
  public var fields: [(name: String, value: String)]

  /// A request.
  public init(
    method: String, authority: String, path: String, query: String? = nil,
    fields: [(name: String, value: String)] = []
  ) {
    (self.method, self.authority, self.path) = (method, authority.lowercased(), path)
    (self.query, self.fields) = (query, fields)
  }

  /// The value of a component; nil where the request has none.
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

  /// What is signed (RFC 9421, section 2.5).
  ///
  /// - Parameters:
  ///   - components: The names of what is covered, in their order.
  ///   - parameters: The value of `@signature-params`.
  /// - Returns: The bytes; nil where a component is not there, or cannot stand in a line.
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
  /// Without spaces and tabs around it.
  fileprivate var trimmed: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
