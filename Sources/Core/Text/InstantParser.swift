/// A parser of ISO 8601 instants that uses integer arithmetic.
///
/// It is fast enough for every line of a stream.
struct InstantParser {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  /// Returns the given instant in milliseconds since 1970; nil if the text is not an instant.
  static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var parser = InstantParser(rest: text[...])
    guard let days = parser.days(), parser.skip("T") || parser.skip("t"),
      let time = parser.timeOfDay(), let offset = parser.offset(), parser.rest.isEmpty
    else { return nil }
    return days * 86_400_000 + time - offset
  }

  private mutating func days() -> Int64? {
    guard let year = number(4), skip("-"), let month = number(2), (1...12).contains(month),
      skip("-"), let day = number(2), (1...Self.length(ofMonth: month, year)).contains(day)
    else { return nil }
    // Howard Hinnant's `days_from_civil`: years begin in March, so that a leap day ends the year.
    let shifted = month <= 2 ? year + 399 : year + 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (shifted / 400 - 1) * 146_097 + dayOfEra - 719_468
  }

  private mutating func timeOfDay() -> Int64? {
    // A leap second counts as the first second of the next minute.
    guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60,
      skip(":"), let second = number(2), second <= 60
    else { return nil }
    var milliseconds = ((hour * 60 + minute) * 60 + second) * 1000
    guard skip(".") || skip(",") else { return milliseconds }
    guard rest.first?.isDigit == true else { return nil }
    for unit: Int64 in [100, 10, 1] { milliseconds += (number(1) ?? 0) * unit }
    rest = rest.drop { $0.isDigit }
    return milliseconds
  }

  private mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(2), hours < 24 else { return nil }
    let hasColon = skip(":")
    let minutes = number(2) ?? (hasColon ? 60 : 0)
    guard minutes < 60 else { return nil }
    return (isEast ? 1 : -1) * (hours * 60 + minutes) * 60_000
  }

  /// Reads a number of exactly `count` digits; returns nil if there are fewer.
  private mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    switch month {
    case 2: return isLeap ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}
