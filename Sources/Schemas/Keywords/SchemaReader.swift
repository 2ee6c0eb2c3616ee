import Core

/// Reads a schema, and refuses what is malformed or not supported.
///
/// It goes from schema to schema by a list, not by calls: schemas may lie deep.
struct SchemaReader {
  /// A schema in the document.
  struct Place {
    let index: Int
    let value: JSONValue
    /// Where it lies in the document.
    let pointer: String
    /// What references in it are relative to.
    var base: SchemaAddress
    /// Where the resource begins that it is a part of.
    var resource: String
  }

  let document: JSONValue
  var table = SchemaTable()
  /// The schemas that are known, by their pointers.
  var places: [String: Place] = [:]
  private var pending: [Place] = []
  var resources: [SchemaAddress: String] = [:]
  /// Schemas by their resource's address and the name of their anchor.
  var anchors: [String: Int] = [:]
  var references: [(place: Place, text: String)] = []

  /// Reads a document.
  ///
  /// - Throws: what of it cannot be used.
  init(_ document: JSONValue) throws(Failure) {
    self.document = document
    if document.isTooDeep {
      throw Self.refusal("", "is nested more than \(JSONValue.mostDepth) levels deep")
    }
    let root = SchemaAddress("")
    resources[root] = ""
    _ = index(of: document, at: "", base: root, resource: "")
    try readPending()
    // A reference may lead to what only it shows to be a schema.
    while table.targets.count < references.count {
      let (place, text) = references[table.targets.count]
      table.targets.append(try target(of: text, from: place))
      try readPending()
    }
    try refuseCircles()
  }

  /// The failure that something of a schema cannot be used.
  static func refusal(_ pointer: String, _ reason: String) -> Failure {
    let name = pointer.isEmpty ? "the schema" : "'\(pointer)' of the schema"
    return Failure(.badInput, "\(name) \(reason)", kind: .schema)
  }

  /// The number of the schema at a place, which is read later.
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
