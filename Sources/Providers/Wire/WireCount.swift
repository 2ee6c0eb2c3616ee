import Core

/// A token count that an untrusted server reported.
enum WireCount: Sendable, Hashable {
  /// A missing or null count.
  case absent
  /// A plausible count.
  case number(Int)
  /// A value that cannot be a count: a text, a fraction, or a number that is negative or absurdly
  /// large.
  case impossible

  /// The largest plausible number of tokens: ten times the largest existing context.
  static let largest = 100_000_000

  /// Merges the given report of the same count.
  ///
  /// The higher count is used. An impossible count is never replaced.
  mutating func raise(to other: WireCount) {
    switch (self, other) {
    case (.number(let known), .number(let number)): self = .number(max(known, number))
    case (_, .absent), (.impossible, _): break
    case (.absent, _), (_, .impossible): self = other
    }
  }

  /// The number of tokens; nil if the count is absent or impossible.
  var value: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }
}

extension JSONObject {
  /// Returns the token count in the member with the given name.
  func tokens(_ name: String) -> WireCount {
    guard has(name) else { return .absent }
    guard let count = integer(name), (0...WireCount.largest).contains(count) else {
      return .impossible
    }
    return .number(count)
  }
}
