import Core
import HTTP

/// A trace of the traffic, one line at a time.
///
/// The receiver redacts secrets.
struct WireTrace: Sendable {
  private let report: @Sendable (String) -> Void
  private var rest: [UInt8] = []

  init(_ report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// Traces a request.
  func show(_ request: HTTPRequest) {
    report("> \(request.method) \(Self.shown(request.url))")
    for field in request.fields { report("> \(field.name): \(field.value)") }
    if let body = request.body { report("> \(String(decoding: body, as: UTF8.self))") }
  }

  /// Returns the given URL without its query values, because these may be keys.
  ///
  /// The API version is kept.
  private static func shown(_ url: String) -> String {
    let parts = ShownURL.withoutUserinfo(url).split(separator: "?", maxSplits: 1)
    guard let place = parts.first, parts.count == 2 else { return Failure.shownURL(url) }
    let query = parts[1].split(separator: "&").map { member in
      let name = member.prefix { $0 != "=" }
      return name == "api-version" ? String(member) : "\(name)=…"
    }
    return "\(place)?\(query.joined(separator: "&"))"
  }

  /// Traces an event of the response.
  mutating func show(_ event: HTTPEvent) {
    switch event {
    case .head(let head):
      report("< \(head.status)")
      for field in head.fields { report("< \(field.name): \(field.value)") }
    case .body(let bytes):
      rest += bytes
      // Each line is traced whole, so that a secret in it is recognised.
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        show(rest[..<end])
        rest.removeSubrange(...end)
      }
    case .end:
      show(rest[...])
      rest = []
    }
  }

  private func show(_ line: ArraySlice<UInt8>) {
    let text = String(decoding: line, as: UTF8.self)
    if text.contains(where: { !$0.isWhitespace }) { report("< \(text)") }
  }
}
