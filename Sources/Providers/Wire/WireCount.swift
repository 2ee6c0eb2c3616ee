import Core

/// A count of a peer, who may say anything.
enum WireCount: Sendable, Hashable {
  /// The peer did not say, or said null.
  case absent
  /// A count that can be.
  case number(Int)
  /// A text, a fraction, a negative or an absurd number: nothing can be worked out from it.
  case impossible

  /// The most tokens of one kind that a call can have: ten times the largest context there is.
  static let largest = 100_000_000

  /// Takes another report of the same count: the higher one stands, and nothing follows an impossible one.
  mutating func raise(to other: WireCount) {
    switch (self, other) {
    case (.number(let known), .number(let number)): self = .number(max(known, number))
    case (_, .absent), (.impossible, _): break
    case (.absent, _), (_, .impossible): self = other
    }
  }

  /// The number; nil when there is none.
  var value: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }
}

extension JSONObject {
  /// A member that counts tokens.
  func tokens(_ name: String) -> WireCount {
    guard has(name) else { return .absent }
    guard let count = integer(name), (0...WireCount.largest).contains(count) else {
      return .impossible
    }
    return .number(count)
  }
}
