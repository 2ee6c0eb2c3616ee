import Core

extension JSONValue {
  /// The maximum nesting of a value that Foundation's JSON decoder accepts.
  static let mostDepth = 512

  /// `true` if the value is nested more deeply than the maximum.
  var isTooDeep: Bool {
    var level = [self]
    var depth = 0
    while !level.isEmpty {
      depth += 1
      if depth > Self.mostDepth { return true }
      level = level.flatMap(\.below)
    }
    return false
  }

  /// The arrays and objects directly inside this value.
  private var below: [JSONValue] {
    switch self {
    case .array(let items): items.filter(\.isNested)
    case .object(let members): members.values.filter(\.isNested)
    default: []
    }
  }

  private var isNested: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
