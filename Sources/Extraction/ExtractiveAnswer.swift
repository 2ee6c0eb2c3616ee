import Core

/// The answer for every role that has no special form.
///
/// It consists of the sentences in the material that match the task.
enum ExtractiveAnswer {
  private static let most = 8

  /// Returns the answer to the given brief, as Markdown.
  static func text(_ brief: Brief) -> String {
    let material = (brief.sources + brief.previousWork).filter {
      $0.text.contains { !$0.isWhitespace }
    }
    let quotes = material.enumerated().flatMap { index, material in
      PassageReader.read(material.text).map { Quote($0, source: index + 1) }
    }
    guard !quotes.isEmpty else {
      return
        "\(Extractor.notice): there is no text here to quote from, so it cannot answer."
    }
    let asked = TextTerms.terms(brief.task)
    let ranking = Ranking(quotes.map(\.text), query: asked.isEmpty ? brief.query : asked)
    let chosen = ranking.best(most).map { quotes[$0] }.sorted {
      ($0.source, $0.position) < ($1.source, $1.position)
    }
    guard !chosen.isEmpty else {
      return "\(Extractor.notice): no sentence of the material fits the question."
    }
    return """
      \(Extractor.notice): these sentences of the material fit best.

      \(chosen.lines)

      ## Sources

      \(SourceList(material).markdown)
      """
  }
}
