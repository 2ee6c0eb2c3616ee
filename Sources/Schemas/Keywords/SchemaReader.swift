import Core

/// A reader of schemas that rejects malformed and unsupported schemas.
///
/// It uses a list instead of recursion, because schemas may be deeply nested.
struct SchemaReader {
  /// A schema, with its position in the document.
  struct Place {
    let index: Int
    let value: JSONValue
    /// The JSON pointer to the schema in the document.
    let pointer: String
    /// The base address for relative references in the schema.
    var base: SchemaAddress
    /// The JSON pointer to the resource that contains the schema.
    var resource: String
  }

  let document: JSONValue
  var table = SchemaTable()
  /// The schemas found so far, by JSON pointer.
  var places: [String: Place] = [:]
  private var pending: [Place] = []
  var resources: [SchemaAddress: String] = [:]
  /// The indices of schemas that have an anchor.
  ///
  /// A key is the address of the resource, `#` and the anchor's name.
  var anchors: [String: Int] = [:]
  var references: [(place: Place, text: String)] = []

  /// Reads the given document.
  ///
  /// - Throws: `BadInput` if the schema is invalid. The failure names the invalid keyword.
  init(_ document: JSONValue) throws(Failure) {
    self.document = document
    if document.isTooDeep {
      throw Self.refusal("", "is nested more than \(JSONValue.mostDepth) levels deep")
    }
    let root = SchemaAddress("")
    resources[root] = ""
    _ = index(of: document, at: "", base: root, resource: "")
    try readPending()
    // A reference may lead to a schema that no keyword declares.
    while table.targets.count < references.count {
      let (place, text) = references[table.targets.count]
      table.targets.append(try target(of: text, from: place))
      try readPending()
    }
    try refuseCircles()
  }

  /// Returns the failure that reports the invalid part of the schema at the given pointer.
  static func refusal(_ pointer: String, _ reason: String) -> Failure {
    let name = pointer.isEmpty ? "the schema" : "'\(pointer)' of the schema"
    return Failure(.badInput, "\(name) \(reason)", kind: .schema)
  }

  /// Returns the index of the schema at the given pointer.
  ///
  /// The schema itself is read later.
  mutating func index(
    of value: JSONValue, at pointer: String, base: SchemaAddress, resource: String
  ) -> Int {
    if let place = places[pointer] { return place.index }
    let place = Place(
      index: table.keywords.count, value: value, pointer: pointer, base: base, resource: resource)
    table.keywords.append([])
    places[pointer] = place
    pending.append(place)
    return place.index
  }

  private mutating func readPending() throws(Failure) {
    while let place = pending.popLast() { try read(place) }
  }

  private mutating func read(_ place: Place) throws(Failure) {
    switch place.value {
    case .bool(true): break
    case .bool(false): table.keywords[place.index] = [.nothing]
    case .object(let members):
      var place = place
      try identify(&place, members)
      places[place.pointer] = place
      var part = SchemaPart(place: place, members: members)
      try part.readAssertions()
      try readReference(&part)
      try readInPlace(&part)
      try readChildren(&part)
      table.keywords[place.index] = part.keywords
    default: throw Self.refusal(place.pointer, "must be an object or a boolean")
    }
  }
}
