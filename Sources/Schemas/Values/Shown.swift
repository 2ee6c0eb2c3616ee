import Core
import Foundation

/// The rendering of values and names in sentences, in short form and as JSON.
enum Shown {
  static let mostCharacters = 60

  static func value(_ value: JSONValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
    return short(text ?? "a value")
  }

  static func name(_ name: String) -> String { "'\(short(name))'" }

  private static func short(_ text: String) -> String {
    text.count > mostCharacters ? text.prefix(mostCharacters - 1) + "…" : text
  }
}
