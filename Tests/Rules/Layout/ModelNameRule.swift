/// Models stand in the catalogue's data: a name in the code would outlive its model.
struct ModelNameRule {
  static func violations(in file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Sources/"), file.path.hasSuffix(".swift") else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      line.firstMatch(of: #/\b(?:claude|gpt|gemini|dall-e)-[a-z]*[0-9]|\bo[0-9]-mini/#).map {
        match in
        Violation(
          path: file.path, line: index + 1,
          reason: "'\(match.0)' is a model's name: it belongs into models.ndjson")
      }
    }
  }
}
