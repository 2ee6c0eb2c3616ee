import Foundation

/// A set of characters, defined by ranges of code points and by Unicode properties.
struct ScalarSet: Sendable {
  /// A Unicode property, such as `Letter` or `Script=Greek`.
  struct Property: Sendable {
    let expression: NSRegularExpression
    /// `true` if the set has all characters without the property, as for `\P`.
    var isNegated: Bool

    /// Creates a property from the given name; nil if ICU does not know the name.
    init?(_ name: String, isNegated: Bool) {
      guard let expression = try? NSRegularExpression(pattern: "\\p{\(name)}") else { return nil }
      self.expression = expression
      self.isNegated = isNegated
    }

    func has(_ scalar: Unicode.Scalar) -> Bool {
      let text = String(scalar)
      let whole = NSRange(location: 0, length: text.utf16.count)
      return (expression.firstMatch(in: text, range: whole) != nil) != isNegated
    }
  }

  var ranges: [ClosedRange<UInt32>] = []
  var properties: [Property] = []
  var isNegated = false
  /// For each ASCII character, `true` if it is in the set.
  ///
  /// They are computed in advance, because ASCII characters are the most frequent.
  private var ascii: [Bool] = []

  init(_ ranges: [ClosedRange<UInt32>] = []) { self.ranges = ranges }

  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  static let last: UInt32 = 0x10FFFF
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  static let wordParts: [ClosedRange<UInt32>] = [
    0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A,
  ]
  /// The characters that ECMA-262 counts as white space or line terminators.
  static let spaces: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ]
  static let lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]

  /// Returns the ranges of all code points that are not in the given sorted ranges.
  static func complement(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    return next > last ? result : result + [next...last]
  }

  /// Returns the set, with its ASCII characters computed in advance.
  func prepared() -> ScalarSet {
    var copy = self
    copy.ascii = (0..<0x80).map { slowlyHas(Unicode.Scalar(UInt8($0))) }
    return copy
  }

  func has(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < ascii.count ? ascii[Int(scalar.value)] : slowlyHas(scalar)
  }

  private func slowlyHas(_ scalar: Unicode.Scalar) -> Bool {
    let isIn =
      ranges.contains { $0.contains(scalar.value) } || properties.contains { $0.has(scalar) }
    return isIn != isNegated
  }
}
