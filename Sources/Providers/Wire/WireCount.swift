import Core

/// A count from an untrusted peer.
enum WireCount: Sendable, Hashable {
  /// A missing or null count.
  case absent
  /// A plausible count.
  case number(Int)
  /// A text, a fraction, a negative or an absurd number, which cannot be used.
  case impossible

  /// The maximum tokens of one kind in a call: ten times the largest existing context.
  static let largest = 100_000_000

  /// Merges another report of the same count: the higher one wins, and an impossible one is final.
  mutating func raise(to other: WireCount) {
    switch (self, other) {
    case (.number(let known), .number(let number)): self = .number(max(known, number))
    case (_, .absent), (.impossible, _): break
    case (.absent, _), (_, .impossible): self = other
    }
  }

  /// The number; nil if there is none.
  var value: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }
}

extension JSONObject {
  /// Returns a member that counts tokens.
  func tokens(_ name: String) -> WireCount {
    guard has(name) else { return .absent }
    guard let count = integer(name), (0...WireCount.largest).contains(count) else {
      return .impossible
    }
    return .number(count)
  }
}
