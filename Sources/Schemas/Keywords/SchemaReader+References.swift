import Core
import Foundation

/// The reading of schemas' names, and of references to these names.
extension SchemaReader {
  static let dialect = "https://json-schema.org/draft/2020-12/schema"

  /// Records the names that the given schema declares for itself.
  mutating func identify(
    _ place: inout Place, _ members: [String: JSONValue]
  ) throws(Failure) {
    let part = SchemaPart(place: place, members: members)
    if let dialect = try part.string("$schema"), dialect != Self.dialect,
      dialect != Self.dialect + "#"
    {
      throw part.refusal("$schema", "must be '\(Self.dialect)': other dialects are not supported")
    }
    for keyword in ["$dynamicRef", "$recursiveRef"] where part.has(keyword) {
      throw part.refusal(keyword, "is not supported")
    }
    if let text = try part.string("$id") {
      let pieces = Self.pieces(text)
      guard pieces.fragment.isEmpty, !pieces.address.isEmpty else {
        throw part.refusal("$id", "must be an address without a fragment")
      }
      place.base = place.base.joined(pieces.address)
      place.resource = place.pointer
      if let other = resources[place.base], other != place.pointer {
        throw part.refusal("$id", "is the address of two schemas")
      }
      resources[place.base] = place.pointer
    }
    for keyword in ["$anchor", "$dynamicAnchor"] {
      guard let name = try part.string(keyword) else { continue }
      guard Self.isAnchor(name) else { throw part.refusal(keyword, "is not an anchor name") }
      let key = place.base.text + "#" + name
      if let other = anchors[key], other != place.index {
        throw part.refusal(keyword, "is the name of two schemas")
      }
      anchors[key] = place.index
    }
  }

  private static func isAnchor(_ name: String) -> Bool {
    guard let first = name.utf8.first, first == 0x5F || isLetter(first) else { return false }
    return name.utf8.allSatisfy {
      isLetter($0) || 0x30...0x39 ~= $0 || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    0x41...0x5A ~= byte || 0x61...0x7A ~= byte
  }

  /// Returns the parts of the given reference before and after the `#`.
  private static func pieces(_ text: String) -> (address: String, fragment: String) {
    let parts = text.utf8.split(separator: 0x23, maxSplits: 1, omittingEmptySubsequences: false)
    let texts = parts.map { String(Substring($0)) }
    return (texts.first ?? "", texts.count == 2 ? texts[1] : "")
  }

  mutating func readReference(_ part: inout SchemaPart) throws(Failure) {
    guard let text = try part.string("$ref") else { return }
    part.keywords.append(.reference(references.count))
    references.append((part.place, text))
  }

  /// Returns the index of the schema that the given reference resolves to.
  mutating func target(of text: String, from place: Place) throws(Failure) -> Int {
    let pointer = place.pointer + "/$ref"
    let pieces = Self.pieces(text)
    let address = pieces.address.isEmpty ? place.base : place.base.joined(pieces.address)
    guard let fragment = pieces.fragment.removingPercentEncoding else {
      throw Self.refusal(pointer, "is not a reference")
    }
    let known = pieces.address.isEmpty ? place.resource : resources[address]
    guard let resource = known else {
      throw Self.refusal(
        pointer, "refers to \(Shown.name(text)) outside the schema, which is not supported")
    }
    if fragment.isEmpty || fragment.utf8.first == 0x2F {
      return try target(at: resource + fragment, from: pointer, text)
    }
    guard let index = anchors[address.text + "#" + fragment] else {
      throw Self.refusal(pointer, "refers to \(Shown.name(text)), which does not exist")
    }
    return index
  }

  /// Returns the index of the schema at the given pointer.
  ///
  /// No keyword need declare a schema there.
  private mutating func target(
    at pointer: String, from origin: String, _ text: String
  ) throws(Failure) -> Int {
    if let place = places[pointer] { return place.index }
    guard let tokens = JSONPointer.tokens(pointer) else {
      throw Self.refusal(origin, "is not a reference")
    }
    var value = document
    var nearest = places[""]
    var path = ""
    for token in tokens {
      guard let next = JSONPointer.step(token, below: value) else {
        throw Self.refusal(origin, "refers to \(Shown.name(text)), which does not exist")
      }
      value = next
      path += "/" + JSONPointer.escaped(token)
      nearest = places[path] ?? nearest
    }
    return index(
      of: value, at: path, base: nearest?.base ?? SchemaAddress(""),
      resource: nearest?.resource ?? "")
  }
}
