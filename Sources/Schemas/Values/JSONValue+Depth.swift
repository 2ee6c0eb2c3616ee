import Core

extension JSONValue {
  /// As deep as Foundation reads JSON.
  static let mostDepth = 512

  /// Whether it is nested more deeply than can be followed.
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

  /// The arrays and objects right below.
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
