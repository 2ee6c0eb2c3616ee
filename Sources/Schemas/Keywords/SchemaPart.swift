import Core

/// A schema that is being read.
///
/// It returns the values of keywords in the types that they must have.
struct SchemaPart {
  let place: SchemaReader.Place
  let members: [String: JSONValue]
  var keywords: [SchemaKeyword] = []

  init(place: SchemaReader.Place, members: [String: JSONValue]) {
    self.place = place
    self.members = members
  }

  /// Returns the failure that reports an invalid value of the given keyword.
  func refusal(_ keyword: String, _ reason: String) -> Failure {
    SchemaReader.refusal(pointer(keyword), reason)
  }

  func pointer(_ steps: String...) -> String {
    steps.reduce(place.pointer) { $0 + "/" + JSONPointer.escaped($1) }
  }

  func has(_ keyword: String) -> Bool { members[keyword] != nil }

  func string(_ keyword: String) throws(Failure) -> String? {
    switch members[keyword] {
    case nil: return nil
    case .string(let text): return text
    default: throw refusal(keyword, "must be a string")
    }
  }

  func number(_ keyword: String) throws(Failure) -> ExactNumber? {
    guard let value = members[keyword] else { return nil }
    guard let number = ExactNumber(value) else { throw refusal(keyword, "must be a number") }
    return number
  }

  /// Returns the value of the given keyword, which must be a whole number of 0 or more.
  func count(_ keyword: String) throws(Failure) -> Int? {
    guard let number = try number(keyword) else { return nil }
    guard number.isWhole, !number.isNegative else {
      throw refusal(keyword, "must be a whole number of at least 0")
    }
    return Int(number.description) ?? .max
  }

  func array(_ keyword: String) throws(Failure) -> [JSONValue]? {
    switch members[keyword] {
    case nil: return nil
    case .array(let items): return items
    default: throw refusal(keyword, "must be an array")
    }
  }

  func object(_ keyword: String) throws(Failure) -> [String: JSONValue]? {
    switch members[keyword] {
    case nil: return nil
    case .object(let members): return members
    default: throw refusal(keyword, "must be an object")
    }
  }

  /// Returns the given value, which must be a list of different names.
  func names(_ value: JSONValue, _ keyword: String) throws(Failure) -> [String] {
    guard case .array(let items) = value else {
      throw refusal(keyword, "must be an array of names")
    }
    var names: [String] = []
    for item in items {
      guard case .string(let name) = item else {
        throw refusal(keyword, "must be an array of names")
      }
      names.append(name)
    }
    guard Set(names.map { Array($0.utf8) }).count == names.count else {
      throw refusal(keyword, "has a name twice")
    }
    return names
  }

  func pattern(_ source: String, at pointer: String) throws(Failure) -> SchemaPattern {
    do throws(PatternError) {
      return try SchemaPattern(source)
    } catch {
      throw SchemaReader.refusal(pointer, "is not a supported regular expression: \(error.reason)")
    }
  }
}
