import Core

/// Dates in HTTP (RFC 9110, section 5.6.7), in the preferred form and in the two obsolete forms.
public enum HTTPDate {
  /// Returns the given date in seconds since 1970 UTC; nil if the text is not an HTTP date.
  public static func secondsSince1970(_ text: String) -> Int? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT":
      // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT.
      return instant(year: words[3], month: words[2], day: words[1], clock: words[4])
    case 5:
      // Sun Nov  6 08:49:37 1994
      return instant(year: words[4], month: words[1], day: words[2], clock: words[3])
    default:
      return nil
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func instant(year: String, month: String, day: String, clock: String) -> Int? {
    let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { number($0) }
    guard var year = number(year), year <= 9999, let day = number(day), (1...31).contains(day),
      let month = months.firstIndex(of: month), time.count == 3,
      let hour = time[0], hour < 24, let minute = time[1], minute < 60,
      let second = time[2], second <= 60
    else { return nil }
    // A two-digit year is read as a year from 1970 to 2069.
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3600 + minute * 60
      + second
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { $0.isDigit } ? Int(text) : nil
  }

  /// Returns the number of days from 1970-01-01 to the given date of the Gregorian calendar.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March here, so that a leap day is the last day of a year.
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    return 365 * shifted + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
  }
}
