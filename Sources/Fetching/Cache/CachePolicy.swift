import Core
import Foundation
import HTTP

/// What may be kept and for how long, by RFC 9111 for the cache of one user: no guessing where the
/// server says nothing.
enum CachePolicy {
  /// Longer than ten years is for ever.
  private static let longestLifetime = 10.0 * 366 * 86_400

  /// Whether an answer to a request may be kept at all.
  static func mayStore(_ request: [HTTPField], _ head: HTTPHead, secrets: Bool) -> Bool {
    let answer = Directives(head.values("cache-control"))
    let asked = Directives(request.filter { $0.isNamed("cache-control") }.map(\.value))
    // A redirect may name a password, which is refused each time and never written down.
    let location = head.value("location") ?? ""
    return !secrets && ShownURL.withoutUserinfo(location) == location
      && [200, 203, 301, 302, 307, 308].contains(head.status)
      && answer.value("no-store") == nil && asked.value("no-store") == nil
      && !request.contains { $0.isNamed("range") }
      && variant(request, head) != nil
  }

  /// Whether a request asks for an answer that the server has just confirmed.
  static func mustAsk(_ request: [HTTPField]) -> Bool {
    let asked = Directives(request.filter { $0.isNamed("cache-control") }.map(\.value))
    return asked.value("no-cache") != nil || asked.value("no-store") != nil
      || asked.value("max-age") == "0"
  }

  /// Until when an answer may be used without asking, in seconds since 1970; in the past where it
  /// may not.
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
    // What is no date, such as 0, is in the past.
    guard let until = HTTPDate.secondsSince1970(expires) else { return 0 }
    let date = head.value("date").flatMap { HTTPDate.secondsSince1970($0) }
    return min(Double(until) - (date.map(Double.init) ?? now), longestLifetime)
  }

  private static func seconds(_ text: String?) -> Double? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return min(Double(text) ?? longestLifetime, longestLifetime)
  }

  /// Whether the server can be asked if an answer still holds.
  static func hasValidator(_ head: HTTPHead) -> Bool {
    head.value("etag") != nil || head.value("last-modified") != nil
  }

  /// The fields that ask whether an answer still holds.
  static func conditions(_ head: HTTPHead) -> [HTTPField] {
    let pairs = [("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")]
    return pairs.compactMap { name, source in
      head.value(source).map { HTTPField(name, $0) }
    }
  }

  /// The fields of a request that its answer depends on, as lines; nil where nobody can tell.
  static func variant(_ request: [HTTPField], _ head: HTTPHead) -> String? {
    let names = Set(list(head.values("vary")))
    guard !names.contains("*"), names.count <= 32 else { return nil }
    return variant(request, names)
  }

  /// The same for the names of a variant that is kept: equal when it answers this request too.
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

  /// The head of a kept answer after the server confirmed it: the new fields replace the old ones,
  /// but for those that tell of the body's form.
  static func confirmed(_ old: HTTPHead, by new: HTTPHead) -> HTTPHead {
    let kept = ["content-length", "content-encoding", "transfer-encoding", "content-range"]
    let added = new.fields.filter { field in !kept.contains { field.isNamed($0) } }
    let rest = old.fields.filter { field in !added.contains { $0.isNamed(field.name) } }
    return HTTPHead(status: old.status, fields: rest + added)
  }

  /// The elements of comma-separated lists, in lower case.
  private static func list(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",") }.map { element in
      element.lowercased().trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
  }

  /// The members of `Cache-Control`; of one that comes twice the first holds.
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

    /// Splits at commas that no quotes hold.
    private static func elements(_ text: String) -> [Substring] {
      var isQuoted = false
      return text.split { character in
        if character == "\"" { isQuoted.toggle() }
        return character == "," && !isQuoted
      }
    }
  }
}
