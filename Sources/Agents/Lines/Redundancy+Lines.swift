import CodingAgents
import Core
import Events

extension Redundancy {
  /// Adds the texts in the member with the given name of `object`.
  mutating func add(_ object: JSONObject, _ name: String) {
    for text in object.texts(name) { add(text) }
  }
}
