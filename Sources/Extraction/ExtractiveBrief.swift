import Core

/// The brief that a producer writes from.
///
/// It consists of the quotes in earlier work, in order.
enum ExtractiveBrief {
  private static let inShort = 3
  private static let most = 15

  /// Returns the producer's brief, as Markdown, for the given request.
  static func text(_ brief: Brief) -> String {
    let work = PriorWork(brief)
    var parts = [
      "# \(brief.title())",
      "\(Extractor.notice): every sentence in quotation marks is quoted from the source "
        + "whose number follows it; the order is by rule.",
    ]
    guard !work.quotes.isEmpty else {
      parts.append(
        "There is nothing to write from: the work before this holds no sentence that could be "
          + "quoted, and nothing is invented here.")
      return (parts + work.gapsSection).joined(separator: "\n\n")
    }
    let ranking = Ranking(work.quotes.map(\.text), query: brief.query)
    let best = ranking.best(most).map { work.quotes[$0] }
    let first = best.prefix(inShort).map { quote in
      var quote = quote
      quote.heading = nil
      return quote.line
    }
    parts.append("## In short\n\n\(first.joined(separator: "\n"))")
    let rest = best.dropFirst(inShort).sorted {
      ($0.source, $0.position) < ($1.source, $1.position)
    }
    if !rest.isEmpty {
      let groups = work.list.entries.indices.compactMap { index -> String? in
        let own = rest.filter { $0.source == index + 1 }
        let title = InlineMarkdown.escaped(work.list.entries[index].title)
        return own.isEmpty ? nil : "### From \(title)\n\n\(own.lines)"
      }
      parts.append("## Key points\n\n\(groups.joined(separator: "\n\n"))")
    }
    parts += work.gapsSection
    parts.append("## Sources\n\n\(work.list.markdown)")
    return parts.joined(separator: "\n\n")
  }
}

/// The material that a producer may quote.
///
/// It is the quotes, with their sources, in earlier extracted work. If there are none, it is
/// sentences of the pages or of other earlier work.
struct PriorWork {
  var quotes: [Quote] = []
  var list = SourceList([])
  /// The gaps that earlier work names, as list items.
  var gaps: [Substring] = []

  init(_ brief: Brief) {
    for work in brief.previousWork {
      gaps += Self.gaps(work.text)
      let list = SourceList(reading: work.text)
      let offset = self.list.entries.count
      let quotes = Self.quotes(work.text).filter { $0.source <= list.entries.count }
      guard !quotes.isEmpty else { continue }
      self.list.entries += list.entries
      self.quotes += quotes.map { quote in
        var quote = quote
        quote.source += offset
        return quote
      }
    }
    guard quotes.isEmpty else { return }
    let pages = brief.sources.isEmpty ? brief.previousWork.filter(Self.isWriting) : brief.sources
    list = SourceList(pages)
    quotes = pages.enumerated().flatMap { index, material in
      PassageReader.read(material.text).map { Quote($0, source: index + 1) }
    }
  }

  /// Returns the quotes in the given text.
  ///
  /// A heading applies to all quotes below it.
  static func quotes(_ text: String) -> [Quote] {
    var quotes: [Quote] = []
    for line in text.split(whereSeparator: \.isNewline) {
      guard let quote = Quote(line: line, position: quotes.count) else { continue }
      quotes.append(quote)
    }
    return quotes
  }

  /// Returns the list items below the headings `Gaps` and `Not read` in the given text.
  static func gaps(_ text: String) -> [Substring] {
    var isInside = false
    return text.split(whereSeparator: \.isNewline).filter { line in
      if line.hasPrefix("#") {
        isInside = ["Gaps", "Not read"].contains(line.drop { $0 == "#" || $0 == " " })
      }
      return isInside && line.hasPrefix("- ")
    }
  }

  /// Returns `true` if an agent wrote the given work, which was then not extracted.
  ///
  /// Extracted work without quotes contains only notices.
  private static func isWriting(_ work: Brief.Material) -> Bool {
    !work.text.contains(Extractor.notice)
  }

  var gapsSection: [String] {
    gaps.isEmpty ? [] : ["## Gaps\n\n\(gaps.joined(separator: "\n"))"]
  }
}
