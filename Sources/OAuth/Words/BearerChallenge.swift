import Core
public import HTTP

/// The challenge of the scheme Bearer in a field `www-authenticate` (RFC 6750, section 3).
public struct BearerChallenge: Sendable, Hashable {
  /// The URL of the metadata of the resource (RFC 9728, section 5.1).
  public private(set) var resourceMetadata: String?
  /// The reason for the refusal, such as `insufficient_scope`.
  public private(set) var error: String?
  /// The scopes that the request requires; nil if the challenge names none.
  private(set) var scopes: Scopes?

  /// The longest field that is read, in bytes.
  private static let longest = 16 << 10

  /// Parses the given field, or several fields joined by commas.
  ///
  /// - Returns: The first challenge of the scheme Bearer; nil if there is none.
  public init?(_ field: String) {
    var isBearer = false
    for element in Self.elements(Array(field.utf8.prefix(Self.longest))) {
      var parameter = Self.parameter(element)
      if parameter == nil {
        // The element begins a challenge: a scheme, then a parameter or a token.
        guard !isBearer else { return }
        let scheme = element.prefix { $0.isToken }
        isBearer = String(decoding: scheme, as: UTF8.self).lowercased() == "bearer"
        parameter = Self.parameter(element.dropFirst(scheme.count).drop { $0.isBlank })
      }
      if isBearer, let parameter { set(parameter.name, parameter.value) }
    }
    guard isBearer else { return nil }
  }

  /// Returns all fields `www-authenticate` of the given head, joined by commas; nil if there is
  /// none.
  public static func field(of head: HTTPHead) -> String? {
    let fields = head.values("www-authenticate")
    return fields.isEmpty ? nil : fields.joined(separator: ", ")
  }

  /// Sets the given parameter; the first of a name counts.
  private mutating func set(_ name: String, _ value: String) {
    switch name {
    case "resource_metadata": resourceMetadata = resourceMetadata ?? value
    case "error": error = error ?? value
    case "scope": scopes = scopes ?? Scopes(text: value)
    default: break
    }
  }

  /// Returns the parts between commas outside of quotes, without blanks around them.
  private static func elements(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var (isQuoted, isEscaped) = (false, false)
    return bytes.split { byte in
      defer { isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }.map { $0.drop { $0.isBlank } }.filter { !$0.isEmpty }
  }

  /// Returns the parameter `name=value` at the start of the given bytes (RFC 9110, section 11.2).
  private static func parameter(_ bytes: ArraySlice<UInt8>) -> (name: String, value: String)? {
    let name = bytes.prefix { $0.isToken }
    let rest = bytes.dropFirst(name.count).drop { $0.isBlank }
    guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
    let value = text(rest.dropFirst().drop { $0.isBlank })
    return (String(decoding: name, as: UTF8.self).lowercased(), value)
  }

  /// Returns the token or the quoted text at the start of the given bytes.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.first == UInt8(ascii: "\"") else {
      return String(decoding: bytes.prefix { !$0.isBlank }, as: UTF8.self)
    }
    var (text, isEscaped): ([UInt8], Bool) = ([], false)
    for byte in bytes.dropFirst() {
      if !isEscaped, byte == UInt8(ascii: "\"") { break }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if !isEscaped { text.append(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension UInt8 {
  /// `true` if the byte is a space or a tab.
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// `true` if the byte may be part of a token (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool { isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
