/// The scopes of OAuth, in order and without duplicates (RFC 6749, section 3.3).
struct Scopes: Sendable, Hashable, Codable {
  /// The largest number of scopes; a server may name any number.
  static let limit = 64
  private static let longest = 256

  private(set) var names: [String] = []

  init() {}

  /// Creates the scopes of a list; invalid names and those beyond the limit are dropped.
  init(_ names: [String]) { for name in names { insert(name) } }

  /// Creates the scopes of a text that separates them by spaces.
  init(text: String) {
    self.init(
      text.utf8.prefix(Self.limit * Self.longest).split(separator: 0x20).map {
        String(decoding: $0, as: UTF8.self)
      })
  }

  init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([String].self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }

  /// `true` if there are none.
  var isEmpty: Bool { names.isEmpty }
  /// The names, separated by spaces.
  var text: String { names.joined(separator: " ") }

  /// Returns these scopes and the given ones.
  func union(_ other: Scopes) -> Scopes { Scopes(names + other.names) }

  /// Returns `true` if each of these scopes is one of the given ones.
  func isSubset(of other: Scopes) -> Bool { Set(names).isSubset(of: other.names) }

  /// Returns `true` if the given scope is one of these.
  func has(_ name: String) -> Bool { names.contains(name) }

  private mutating func insert(_ name: String) {
    let isValid =
      (1...Self.longest).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    guard isValid, names.count < Self.limit, !names.contains(name) else { return }
    names.append(name)
  }
}
