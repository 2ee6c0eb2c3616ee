/// A tool asks one `Place`, and does not know which of two it is.
struct PlaceRule {
  /// The types that a `Place` gives, here or at a hub.
  static let given = [
    "LocalSteering", "HubSteering", "LocalLookout", "HubAnswers", "HubOutlook", "HubPages",
    "HubStream", "LogSource", "HubGates",
  ]

  /// The package's tools.
  let tools: Set<String>

  func violations(in file: SourceFile) -> [Violation] {
    guard let target = file.target, tools.contains(target) else { return [] }
    return file.code.flatMap { line in
      Self.given.filter { line.text.holds(phrase: $0) }.map {
        Violation(
          path: file.path, line: line.number, reason: "'\($0)' is what a 'Place' is asked for")
      }
    }
  }
}
