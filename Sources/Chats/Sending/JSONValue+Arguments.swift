import Core
import Foundation

extension JSONValue {
  /// The arguments of a call: an object, or the text that a model wrote in place of one.
  init(arguments: String) {
    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(arguments.utf8))
    if case .object? = value, let value { self = value } else { self = .string(arguments) }
  }
}
