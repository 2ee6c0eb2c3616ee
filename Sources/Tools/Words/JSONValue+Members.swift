import Core
import Foundation

extension JSONValue {
  /// The members, if the value is an object.
  var members: [String: JSONValue]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The items, if the value is an array.
  var items: [JSONValue]? {
    guard case .array(let items) = self else { return nil }
    return items
  }

  /// The text, if the value is a string.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The strings, if the value is an array of strings.
  var texts: [String]? {
    guard let items else { return nil }
    let texts = items.compactMap(\.text)
    return texts.count == items.count ? texts : nil
  }

  /// Returns the member with the given name, if the value is an object that has it.
  subscript(_ name: String) -> JSONValue? { members?[name] }

  /// Creates a value from JSON text; nil if the text is not JSON.
  init?(json text: some Sequence<UInt8>) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text)) else {
      return nil
    }
    self = value
  }

  /// The value with known secrets replaced in its texts.
  var redacted: JSONValue {
    guard !Secrets.isEmpty else { return self }
    return switch self {
    case .string(let text): .string(Secrets.redacted(text))
    case .array(let items): .array(items.map(\.redacted))
    case .object(let members): .object(members.mapValues(\.redacted))
    default: self
    }
  }

  /// The value as JSON with sorted keys.
  var json: String {
    // Only a number that is not finite cannot be encoded, and JSON has none.
    String(decoding: (try? RecordJSON.line(of: self)) ?? Array("null".utf8), as: UTF8.self)
  }
}
