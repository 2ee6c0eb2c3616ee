import Core

/// A JSON number in decimal form, which is an integer times a power of ten.
///
/// A number with a fraction is converted through its shortest text. That text equals the source
/// text if the source has at most 17 digits.
struct ExactNumber: Sendable, Hashable {
  /// The number's decimal digits as an integer, without trailing zeros.
  let digits: UInt64
  let exponent: Int
  let isNegative: Bool

  /// Creates the number from a JSON value; nil if the value is not a number or has too many digits.
  init?(_ value: JSONValue) {
    switch value {
    case .int(let number):
      self.init(number.magnitude.description, 0, isNegative: number < 0)
    case .double(let number):
      guard number.isFinite else { return nil }
      let parts = number.magnitude.description.split(separator: "e")
      let mantissa = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
      let fraction = mantissa.count == 2 ? mantissa[1] : ""
      let power = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
      self.init(
        (mantissa.first ?? "") + fraction, power - fraction.count, isNegative: number < 0)
    default: return nil
    }
  }

  private init?(_ text: String, _ exponent: Int, isNegative: Bool) {
    guard let whole = UInt64(text) else { return nil }
    var (digits, exponent) = (whole, exponent)
    while digits != 0, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    self.digits = digits
    self.exponent = digits == 0 ? 0 : exponent
    self.isNegative = isNegative && digits != 0
  }

  private init?(_ text: Substring, _ exponent: Int, isNegative: Bool) {
    self.init(String(text), exponent, isNegative: isNegative)
  }

  var isWhole: Bool { exponent >= 0 }

  /// Returns `true` if this number is a multiple of the given number, which must not be 0.
  func isMultiple(of other: ExactNumber) -> Bool {
    guard digits != 0, other.digits != 0 else { return digits == 0 }
    let distance = exponent - other.exponent
    guard distance >= 0 else {
      // The digits have no trailing zeros, so the quotient is not an integer.
      return false
    }
    let remainder = Self.product(
      digits % other.digits, Self.power(ofTen: distance, modulo: other.digits),
      modulo: other.digits)
    return remainder == 0
  }

  private static func product(_ one: UInt64, _ other: UInt64, modulo: UInt64) -> UInt64 {
    modulo.dividingFullWidth(one.multipliedFullWidth(by: other)).remainder
  }

  private static func power(ofTen exponent: Int, modulo: UInt64) -> UInt64 {
    var (result, factor, left) = (1 % modulo, 10 % modulo, exponent)
    while left > 0 {
      if left & 1 == 1 { result = product(result, factor, modulo: modulo) }
      factor = product(factor, factor, modulo: modulo)
      left >>= 1
    }
    return result
  }
}

extension ExactNumber: Comparable {
  static func < (one: ExactNumber, other: ExactNumber) -> Bool {
    if one.isNegative != other.isNegative { return one.isNegative }
    return one.isNegative ? other.isSmaller(than: one) : one.isSmaller(than: other)
  }

  /// Returns `true` if this number has a smaller magnitude than the given number.
  private func isSmaller(than other: ExactNumber) -> Bool {
    guard digits != 0, other.digits != 0 else { return digits == 0 && other.digits != 0 }
    let (own, its) = (Array(digits.description.utf8), Array(other.digits.description.utf8))
    // The number of digits before the decimal point.
    let (size, otherSize) = (own.count + exponent, its.count + other.exponent)
    return size == otherSize ? own.lexicographicallyPrecedes(its) : size < otherSize
  }
}

extension ExactNumber: CustomStringConvertible {
  var description: String {
    let sign = isNegative ? "-" : ""
    if exponent >= 0, exponent <= 20 {
      return sign + digits.description + String(repeating: "0", count: exponent)
    }
    let text = digits.description
    if exponent < 0, -exponent < text.count {
      return sign + text.dropLast(-exponent) + "." + text.suffix(-exponent)
    }
    if exponent < 0, -exponent <= 20 {
      return sign + "0." + String(repeating: "0", count: -exponent - text.count) + text
    }
    return "\(sign)\(text)e\(exponent)"
  }
}
