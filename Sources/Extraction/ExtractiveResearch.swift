import Core

/// The answer for a researcher: quotations from the sources that concern the goal.
///
/// They are grouped by source.
enum ExtractiveResearch {
  /// The maximum number of quotes in the answer, and the maximum from one source.
  private static let most = 24
  private static let mostOfOne = 8

  /// Returns the findings for the given brief, as Markdown.
  static func text(_ brief: Brief) -> String {
    let readable = brief.sources.filter { $0.text.contains { !$0.isWhitespace } }
    guard !readable.isEmpty else { return nothing(brief) }
    let list = SourceList(readable)
    let quotes = readable.enumerated().flatMap { index, material in
      PassageReader.read(material.text).map { Quote($0, source: index + 1) }
    }
    let query = brief.query
    let chosen = choose(quotes, query: query, sources: readable.count)
    var parts = [
      "# Findings: \(brief.title())",
      "\(Extractor.notice): each sentence in quotation marks is quoted, without its "
        + "formatting, from the source whose number follows it. Nothing was added, and nothing was checked against other sources.",
    ]
    for (index, entry) in list.entries.enumerated() {
      let own = chosen.filter { $0.source == index + 1 }
      let lines = own.isEmpty ? "- (no sentence of it fits the goal)" : own.lines
      parts.append("## [\(index + 1)] \(InlineMarkdown.escaped(entry.title))\n\n\(lines)")
    }
    parts.append("## Gaps\n\n\(gaps(chosen, brief, query))")
    parts.append("## Sources\n\n\(list.markdown)")
    return parts.joined(separator: "\n\n")
  }

  private static func nothing(_ brief: Brief) -> String {
    """
    # Findings: \(brief.title())

    \(Extractor.notice): it quotes from sources and knows nothing by itself.

    No sources were given that could be read, so nothing was researched and there are no findings.

    ## Gaps

    - Everything is open. Name pages for the researcher (`researchURLs`, or `page` records), or use a \
    language model.
    """
  }

  /// Returns the best quotes, in the order of their sources and positions.
  ///
  /// At least the best quote of each source is included.
  private static func choose(_ quotes: [Quote], query: [String], sources: Int) -> [Quote] {
    let ranking = Ranking(quotes.map(\.text), query: query)
    // If no sentence is about the subject, the sentences most typical of the sources are used.
    let hasSubject = ranking.isOnSubject.contains(true)
    let share = max(2, min(mostOfOne, most / sources + 1))
    var counts: [Int: Int] = [:]
    let chosen = ranking.best(most) { index, _ in
      guard !hasSubject || ranking.isOnSubject[index] else { return false }
      let source = quotes[index].source
      guard counts[source, default: 0] < share else { return false }
      counts[source, default: 0] += 1
      return true
    }
    return chosen.map { quotes[$0] }.sorted {
      ($0.source, $0.position) < ($1.source, $1.position)
    }
  }

  private static func gaps(_ quotes: [Quote], _ brief: Brief, _ query: [String]) -> String {
    let missing = Coverage(goal: brief.goal, text: quotes.map(\.text).joined(separator: " "))
      .missing
    guard !query.isEmpty else { return "- The goal names no subject to look for." }
    guard !missing.isEmpty else { return "- None by words: every word of the goal is in a quote." }
    let words = missing.prefix(12).map { "'\(InlineMarkdown.escaped($0))'" }.joined(separator: ", ")
    return "- No quote mentions \(words)."
  }
}

extension [Quote] {
  /// The quotes as list items.
  ///
  /// Each heading is written once, before its first quote.
  var lines: String {
    var last: String?
    return map { quote in
      var quote = quote
      if quote.heading == last { quote.heading = nil } else { last = quote.heading }
      return quote.line
    }.joined(separator: "\n")
  }
}

/// The subject words of a goal, with those that a given text does not contain.
struct Coverage {
  /// The subject words of the goal, in order and without repetition.
  let words: [String]
  /// The subject words that the text does not contain.
  let missing: [String]

  init(goal: String, text: String) {
    let there = Set(TextTerms.terms(text))
    var seen: Set<String> = []
    words = TextTerms.words(goal).filter { word in
      TextTerms.terms(word).first.map { seen.insert($0).inserted } ?? false
    }
    missing = words.filter { word in !TextTerms.terms(word).allSatisfy(there.contains) }
  }
}
