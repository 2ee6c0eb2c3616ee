/// The conversion of machine-written dates to ISO 8601.
enum DateValue {
  /// Returns the date in the given text; nil if the text is not a date.
  ///
  /// The time is included if the text has a time zone.
  ///
  ///     DateValue.normalised("2024-03-12 09:05:00 +0100")  // "2024-03-12T09:05:00+01:00"
  static func normalised(_ text: String) -> String? {
    var bytes = Array(text.utf8.prefix(128))
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    let start = bytes.firstIndex { !isSpace($0) } ?? bytes.count
    var reader = NumberReader(bytes: bytes, at: start)
    if let iso = reader.iso() { return iso }
    if bytes.count - start == 10 || bytes.count - start == 13,
      bytes[start...].allSatisfy(isDigit),
      let number = Int(String(decoding: bytes[start...], as: UTF8.self))
    {
      return fromEpoch(seconds: bytes.count - start == 13 ? number / 1000 : number)
    }
    guard let date = WrittenDate.first(in: bytes[start...]) else { return nil }
    reader.at = date.range.upperBound
    return date.iso + (reader.time() ?? "")
  }

  static func isValid(year: Int, month: Int, day: Int) -> Bool {
    guard (1800...2100).contains(year), (1...12).contains(month), day >= 1 else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day <= days[month - 1]
  }

  static func iso(year: Int, month: Int, day: Int) -> String {
    "\(year)-\(padded(month))-\(padded(day))"
  }

  fileprivate static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Returns the UTC time that is the given number of seconds after 1970 began.
  ///
  /// It is computed by Howard Hinnant's days-to-civil formula.
  private static func fromEpoch(seconds: Int) -> String? {
    let days = seconds / 86_400 + 719_468
    let era = days / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    guard isValid(year: year, month: month, day: day) else { return nil }
    let time = seconds % 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map(padded).joined(separator: ":")
    return "\(iso(year: year, month: month, day: day))T\(clock)Z"
  }
}

/// A reader of fixed-width numbers from the start of a text.
private struct NumberReader {
  let bytes: [UInt8]
  var at: Int

  private var peek: UInt8 { at < bytes.count ? bytes[at] : 0 }

  private mutating func number(_ widths: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < widths.upperBound, isDigit(peek) {
      value = value * 10 + Int(peek - 0x30)
      count += 1
      at += 1
    }
    return count >= widths.lowerBound ? value : nil
  }

  private mutating func pass(_ any: String) -> Bool {
    guard at < bytes.count, any.utf8.contains(bytes[at]) else { return false }
    at += 1
    return true
  }

  /// Reads a date such as `2024-03-12`, `20240312` or `2024/3/12`, with the time after it.
  mutating func iso() -> String? {
    guard let year = number(4...4) else { return nil }
    let isSeparated = pass("-/.")
    guard let month = number(isSeparated ? 1...2 : 2...2) else { return nil }
    guard !isSeparated || pass("-/.") else { return nil }
    guard let day = number(isSeparated ? 1...2 : 2...2), !isDigit(peek),
      DateValue.isValid(year: year, month: month, day: day)
    else { return nil }
    return DateValue.iso(year: year, month: month, day: day) + (time() ?? "")
  }

  /// Reads a time with its zone; nil if there is no zone, because such a time is ambiguous.
  mutating func time() -> String? {
    while pass("T ,t") {}
    guard let hour = number(1...2), hour < 24, pass(":"), let minute = number(2...2), minute < 60
    else { return nil }
    var second = 0
    if pass(":") {
      guard let read = number(2...2), read <= 60 else { return nil }
      second = min(read, 59)
      if pass(".,") { while isDigit(peek) { at += 1 } }
    }
    while pass(" ") {}
    guard let zone = zone() else { return nil }
    let clock = [hour, minute, second].map(DateValue.padded).joined(separator: ":")
    return "T\(clock)\(zone)"
  }

  private mutating func zone() -> String? {
    if pass("Zz") { return "Z" }
    for name in ["GMT", "UTC"] where bytes[min(at, bytes.count)...].starts(with: name.utf8) {
      at += 3
      if peek != UInt8(ascii: "+"), peek != UInt8(ascii: "-") { return "Z" }
    }
    let sign = peek
    guard pass("+-"), let hours = number(1...2), hours <= 14 else { return nil }
    _ = pass(":")
    let minutes = number(2...2) ?? 0
    guard minutes < 60 else { return nil }
    return String(decoding: [sign], as: UTF8.self) + DateValue.padded(hours) + ":"
      + DateValue.padded(minutes)
  }
}
