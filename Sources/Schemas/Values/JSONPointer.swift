import Core

/// Operations on JSON pointers (RFC 6901).
///
/// Pointers are split by bytes. Swift's characters would combine a `/` with an accent after it.
enum JSONPointer {
  /// Returns the given token with the characters escaped that have a meaning in a pointer.
  static func escaped(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return token }
    let bytes = token.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x7E: [0x7E, 0x30]
      case 0x2F: [0x7E, 0x31]
      default: [byte]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the tokens of the given pointer; nil if it is malformed.
  static func tokens(_ pointer: String) -> [String]? {
    guard let first = pointer.utf8.first else { return [] }
    guard first == 0x2F else { return nil }
    var tokens: [String] = []
    for part in pointer.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
      guard let token = unescaped(part) else { return nil }
      tokens.append(token)
    }
    return tokens
  }

  private static func unescaped(_ part: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = part[...]
    while let byte = rest.popFirst() {
      guard byte == 0x7E else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case 0x30: bytes.append(0x7E)
      case 0x31: bytes.append(0x2F)
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the member or item of the given value that the given token names; nil if there is
  /// none.
  static func step(_ token: String, below value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let members): return members.exactly(token)
    case .array(let items):
      guard let index = Int(token), items.indices.contains(index), String(index) == token else {
        return nil
      }
      return items[index]
    default: return nil
    }
  }
}

extension [String: JSONValue] {
  /// The members in the order of their names' bytes.
  var inOrder: [(key: String, value: JSONValue)] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension Dictionary where Key == String {
  /// Returns the value of the given name; nil if there is none.
  ///
  /// Names are compared exactly, as JSON requires. Swift considers names equal if they differ only
  /// in the encoding of accents.
  func exactly(_ name: String) -> Value? {
    guard let index = index(forKey: name), self[index].key.utf8.elementsEqual(name.utf8) else {
      return nil
    }
    return self[index].value
  }
}
