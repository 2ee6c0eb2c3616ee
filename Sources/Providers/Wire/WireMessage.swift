import Core
import Foundation

/// One message as both wires write it.
struct WireMessage: Encodable {
  var role: String
  var content: String

  init(_ turn: ModelRequest.Turn) {
    self.init(role: turn.role, content: turn.text)
  }

  init(role: String, content: String) {
    self.role = role
    self.content = content
  }
}

/// The JSON text of a request's body.
func encoded(_ body: some Encodable) throws(Failure) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  do {
    return Array(try encoder.encode(body))
  } catch {
    // Only a number that JSON has no form for gets here.
    throw Failure(.badInput, "the request has a temperature that is not a number")
  }
}

/// A base URL and a path, with one slash between them.
func joined(_ base: String, _ path: String) -> String {
  var end = base[...]
  while end.last == "/" { end.removeLast() }
  return end + path
}
