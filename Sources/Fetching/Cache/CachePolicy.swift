import Core
import Foundation
import HTTP

/// The rules of RFC 9111 for a private cache that makes no guesses about freshness.
enum CachePolicy {
  /// The longest time, in seconds, for which an answer may be fresh.
  ///
  /// It is ten years.
  private static let longestLifetime = 10.0 * 366 * 86_400

  /// Returns `true` if the answer to the given request may be stored.
  ///
  /// `head` is the answer's head.
  static func mayStore(_ request: [HTTPField], _ head: HTTPHead, secrets: Bool) -> Bool {
    let answer = Directives(head.values("cache-control"))
    let asked = Directives(request.filter { $0.isNamed("cache-control") }.map(\.value))
    // A redirect to an address with a password is not stored, because it is refused each time.
    let location = head.value("location") ?? ""
    return !secrets && ShownURL.withoutUserinfo(location) == location
      && [200, 203, 301, 302, 307, 308].contains(head.status)
      && answer.value("no-store") == nil && asked.value("no-store") == nil
      && !request.contains { $0.isNamed("range") }
      && variant(request, head) != nil
  }

  /// Returns `true` if the given request requires that a stored answer is validated before its use.
  static func mustAsk(_ request: [HTTPField]) -> Bool {
    let asked = Directives(request.filter { $0.isNamed("cache-control") }.map(\.value))
    return asked.value("no-cache") != nil || asked.value("no-store") != nil
      || asked.value("max-age") == "0"
  }

  /// Returns the time, in seconds since 1970, until which the answer with the given head is fresh.
  ///
  /// The time is in the past if the answer is stale.
  static func freshUntil(_ head: HTTPHead, now: Double) -> Double {
    let directives = Directives(head.values("cache-control"))
    guard directives.value("no-cache") == nil, let lifetime = lifetime(head, directives, now)
    else { return 0 }
    let date = head.value("date").flatMap { HTTPDate.secondsSince1970($0) }.map(Double.init)
    let apparentAge = max(0, now - (date ?? now))
    let age = max(apparentAge, seconds(head.value("age")) ?? 0)
    return now + lifetime - age
  }

  private static func lifetime(
    _ head: HTTPHead, _ directives: Directives, _ now: Double
  ) -> Double? {
    if let value = directives.value("max-age") { return seconds(value) ?? 0 }
    guard let expires = head.value("expires") else { return nil }
    // An invalid date, such as 0, counts as a date in the past.
    guard let until = HTTPDate.secondsSince1970(expires) else { return 0 }
    let date = head.value("date").flatMap { HTTPDate.secondsSince1970($0) }
    return min(Double(until) - (date.map(Double.init) ?? now), longestLifetime)
  }

  private static func seconds(_ text: String?) -> Double? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return min(Double(text) ?? longestLifetime, longestLifetime)
  }

  /// Returns `true` if the server can later validate the answer with the given head.
  static func hasValidator(_ head: HTTPHead) -> Bool {
    head.value("etag") != nil || head.value("last-modified") != nil
  }

  /// Returns the request fields with which the server can validate the answer with the given head.
  static func conditions(_ head: HTTPHead) -> [HTTPField] {
    let pairs = [("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")]
    return pairs.compactMap { name, source in
      head.value(source).map { HTTPField(name, $0) }
    }
  }

  /// Returns those fields of the given request, as lines, that the answer depends on.
  ///
  /// It is nil if these fields cannot be determined.
  static func variant(_ request: [HTTPField], _ head: HTTPHead) -> String? {
    let names = Set(list(head.values("vary")))
    guard !names.contains("*"), names.count <= 32 else { return nil }
    return variant(request, names)
  }

  /// Returns those fields of the given request, as lines, that `variant` names.
  ///
  /// If the result equals `variant`, the stored answer fits this request.
  static func variant(_ request: [HTTPField], like variant: String) -> String {
    let names = variant.split(separator: "\n").compactMap {
      $0.split(separator: ":", maxSplits: 1).first.map(String.init)
    }
    return self.variant(request, Set(names))
  }

  private static func variant(_ request: [HTTPField], _ names: Set<String>) -> String {
    names.sorted().map { name in
      let values = request.filter { $0.isNamed(name) }.map(\.value)
      return "\(name): \(values.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  /// Returns the head that a stored answer has after the server validated it.
  ///
  /// New fields replace old ones, except fields about the body's encoding and length.
  static func confirmed(_ old: HTTPHead, by new: HTTPHead) -> HTTPHead {
    let kept = ["content-length", "content-encoding", "transfer-encoding", "content-range"]
    let added = new.fields.filter { field in !kept.contains { field.isNamed($0) } }
    let rest = old.fields.filter { field in !added.contains { $0.isNamed(field.name) } }
    return HTTPHead(status: old.status, fields: rest + added)
  }

  /// Returns the elements of the given comma-separated lists, in lower case.
  private static func list(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",") }.map { element in
      element.lowercased().trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
  }

  /// The directives of `Cache-Control`.
  ///
  /// If a directive is repeated, the first one counts.
  private struct Directives {
    private var values: [String: String] = [:]

    init(_ fields: [String]) {
      for element in Self.elements(fields.joined(separator: ",")) {
        let parts = element.split(separator: "=", maxSplits: 1)
        guard let name = parts.first?.lowercased().trimmingCharacters(in: .whitespaces) else {
          continue
        }
        let value = parts.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? ""
        if values[name] == nil { values[name] = value.filter { $0 != "\"" } }
      }
    }

    func value(_ name: String) -> String? { values[name] }

    /// Returns the parts of the given text that commas separate.
    ///
    /// Commas inside quotes do not count.
    private static func elements(_ text: String) -> [Substring] {
      var isQuoted = false
      return text.split { character in
        if character == "\"" { isQuoted.toggle() }
        return character == "," && !isQuoted
      }
    }
  }
}
