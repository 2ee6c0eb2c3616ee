import Core
import Foundation

/// A search for the time at which a usage limit is reset, in the messages of coding agents.
///
/// Claude Code, Codex and Gemini CLI write it in different forms, such as `resets 3pm
/// (Europe/Berlin)`, `try again at 4:29 AM`, `try again in 4 days 3 hours` and `reset after
/// 1h2m3s`.
enum LimitReset {
  /// The maximum number of characters of a message that are searched.
  private static let searched = 2000
  /// The time by which a named minute may have passed, in seconds.
  ///
  /// Agents round to minutes, so the named minute may be the current one.
  private static let slack = 120.0
  /// The maximum distance of a reset, in seconds.
  private static let farthest = 40 * 86_400.0
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the reset time that the given message names.
  ///
  /// - Parameters:
  ///   - message: The message. It counts only if it is about a limit or a quota.
  ///   - now: The current time.
  ///   - zone: The time zone of times that name none.
  /// - Returns: The time; nil if the message names none, or one that is too far away.
  static func time(
    in message: String, at now: Timestamp, zone: TimeZone = .current
  ) -> Timestamp? {
    let text = message.prefix(searched).lowercased()
    guard ["limit", "quota", "capacity"].contains(where: text.contains) else { return nil }
    let found = epoch(text) ?? relative(text, now) ?? absolute(text, now, zone)
    guard let found, abs(found.seconds(since: now)) <= farthest else { return nil }
    return found
  }

  /// Returns the time in the form `usage limit reached|1760000000`.
  private static func epoch(_ text: String) -> Timestamp? {
    guard let match = text.firstMatch(of: /\|([0-9]{9,11})\b/), let seconds = Int64(match.1)
    else { return nil }
    return Timestamp(milliseconds: seconds * 1000)
  }

  private static func relative(_ text: String, _ now: Timestamp) -> Timestamp? {
    let start = /(?:try again in|resets? after|resets? in)\s+/
    guard let match = text.firstMatch(of: start) else { return nil }
    var rest = text[match.range.upperBound...]
    var seconds = 0.0
    var isFound = false
    let part =
      /(?:and\s+)?([0-9]{1,6}(?:\.[0-9]{1,9})?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z]),?\s*/
    while let next = rest.prefixMatch(of: part), let number = Double(next.1) {
      let units: [Character: Double] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
      seconds += number * (next.2.first.flatMap { units[$0] } ?? 0)
      isFound = true
      rest = rest[next.range.upperBound...]
    }
    return isFound ? now.adding(seconds: seconds) : nil
  }

  private static func absolute(
    _ text: String, _ now: Timestamp, _ zone: TimeZone
  ) -> Timestamp? {
    let form =
      /(?:try again at|resets?(?: at)?|reset at)\s+(?:([a-z]{3})[a-z]*\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\s+(?:([0-9]{4}),?\s+)?(?:at\s+)?)?([0-9]{1,2})(?::([0-9]{2}))?\s*([ap])m(?:\s*\(([a-z_\/+\-0-9]{1,64})\))?/
    guard let match = text.firstMatch(of: form), let hour = Int(match.4), (1...12).contains(hour)
    else { return nil }
    var wanted = DateComponents()
    wanted.hour = hour % 12 + (match.6 == "p" ? 12 : 0)
    wanted.minute = match.5.flatMap { Int($0) } ?? 0
    if let month = match.1.flatMap({ months.firstIndex(of: String($0)) }) {
      guard let day = match.2.flatMap({ Int($0) }), (1...31).contains(day) else { return nil }
      wanted.month = month + 1
      wanted.day = day
      wanted.year = match.3.flatMap { Int($0) }
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = match.7.flatMap { named(String($0)) } ?? zone
    let start = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000 - slack)
    let date =
      wanted.year == nil
      ? calendar.nextDate(after: start, matching: wanted, matchingPolicy: .nextTime)
      : calendar.date(from: wanted)
    return date.map { Timestamp(milliseconds: Int64($0.timeIntervalSince1970 * 1000)) }
  }

  /// Returns the time zone with the given name in lower case, such as `europe/berlin`.
  private static func named(_ name: String) -> TimeZone? {
    let known = TimeZone.knownTimeZoneIdentifiers.first { $0.lowercased() == name }
    return TimeZone(identifier: known ?? name.uppercased())
  }
}
