/// The checks that a review makes of a given text.
struct ReviewChecks {
  typealias Check = ExtractiveReview.Check

  private let text: String
  private let earlier: [String]
  private let goal: String
  private let sources: SourceList
  /// The text's statements, which are its list items and sentences.
  ///
  /// Notices, gaps and sources are not included.
  private let statements: [String]
  /// The numbers of the sources that each statement cites.
  private let citations: [Set<Int>]

  init(_ text: String, earlier: [String], goal: String) {
    self.text = text
    self.earlier = earlier
    self.goal = goal
    sources = SourceList(reading: text)
    statements = Self.statements(text)
    citations = statements.map(Self.cited)
  }

  /// All checks, in the order of the review.
  var all: [Check] {
    [hasSources, citesEach, citesRightly, quotesRightly, coversGoal, hasLength, repeatsNothing]
      + gaps
  }

  private var hasSources: Check {
    let count = max(sources.entries.count, text.ranges(of: "http").count > 0 ? 1 : 0)
    guard count == 0 else {
      return Check(name: "Sources", isPassed: true, finding: "\(count) named.")
    }
    return Check(
      name: "Sources", isPassed: false, finding: "none is named.",
      suggestion: "Give the researcher pages to read, and end the text with a list of sources.")
  }

  private var citesEach: Check {
    let bare = zip(statements, citations).filter { $0.1.isEmpty && !$0.0.contains("http") }
    guard !bare.isEmpty || statements.isEmpty else {
      return Check(
        name: "A source for each statement", isPassed: true,
        finding: "all \(statements.count) statements carry one.")
    }
    guard !statements.isEmpty else {
      return Check(
        name: "A source for each statement", isPassed: false, finding: "there are no statements.",
        suggestion: "Write down what was found; there is nothing to read yet.")
    }
    return Check(
      name: "A source for each statement", isPassed: false,
      finding: "\(bare.count) of \(statements.count) carry none.",
      suggestion: "Add a source to, or take out: \(Self.examples(bare.map(\.0))).")
  }

  private var citesRightly: Check {
    let cited = citations.reduce(into: Set<Int>()) { $0.formUnion($1) }
    let listed = Set(sources.entries.indices.map { $0 + 1 })
    let unknown = cited.subtracting(listed).sorted()
    let idle = listed.subtracting(cited).sorted()
    guard unknown.isEmpty else {
      return Check(
        name: "Cited numbers are listed", isPassed: false,
        finding: "\(Self.numbers(unknown)) not in the list of sources.",
        suggestion: "List \(Self.numbers(unknown)) under 'Sources', or correct the number.")
    }
    let note = idle.isEmpty ? "" : " \(Self.numbers(idle)) listed but never cited."
    return Check(
      name: "Cited numbers are listed", isPassed: true,
      finding: "\(cited.count) cited, \(listed.count) listed.\(note)")
  }

  private var quotesRightly: Check {
    let quotes = PriorWork.quotes(text).map(\.text)
    let known = Set(earlier.flatMap { PriorWork.quotes($0).map(\.text) })
    guard !quotes.isEmpty, !known.isEmpty else {
      return Check(
        name: "Quotes as in the research", isPassed: true, finding: "no quotes to compare.")
    }
    let changed = quotes.filter { !known.contains($0) }
    guard !changed.isEmpty else {
      return Check(
        name: "Quotes as in the research", isPassed: true,
        finding: "all \(quotes.count) are word for word.")
    }
    return Check(
      name: "Quotes as in the research", isPassed: false,
      finding: "\(changed.count) of \(quotes.count) are not.",
      suggestion: "Restore the wording of: \(Self.examples(changed)).")
  }

  private var coversGoal: Check {
    let coverage = Coverage(goal: goal, text: statements.joined(separator: " "))
    let missing = coverage.missing.prefix(12).map { "'\(InlineMarkdown.escaped($0))'" }
      .joined(separator: ", ")
    guard !coverage.missing.isEmpty else {
      return Check(
        name: "The goal's words", isPassed: true,
        finding: "all \(coverage.words.count) occur.")
    }
    return Check(
      name: "The goal's words", isPassed: false,
      finding: "\(coverage.missing.count) of \(coverage.words.count) do not occur: \(missing).",
      suggestion: "Find a source on \(missing), or say that none was found.")
  }

  private var hasLength: Check {
    let count = statements.reduce(0) { $0 + TextTerms.words($1).count }
    guard count >= 80 else {
      return Check(
        name: "Length", isPassed: false, finding: "\(count) words, under 80.",
        suggestion: "Add what the sources say; this is too short to be of use.")
    }
    guard count <= 3000 else {
      return Check(
        name: "Length", isPassed: false, finding: "\(count) words, over 3000.",
        suggestion: "Cut the text to what the goal asks.")
    }
    return Check(name: "Length", isPassed: true, finding: "\(count) words.")
  }

  private var repeatsNothing: Check {
    var seen: Set<[String]> = []
    let again = statements.filter { !seen.insert(TextTerms.words($0)).inserted }
    guard !again.isEmpty else {
      return Check(name: "Repetition", isPassed: true, finding: "no statement twice.")
    }
    return Check(
      name: "Repetition", isPassed: false, finding: "\(again.count) stand twice.",
      suggestion: "Take out the second: \(Self.examples(again)).")
  }

  private var gaps: [Check] {
    let found = earlier.flatMap(PriorWork.gaps).filter { !$0.hasPrefix("- None") }
    guard !earlier.isEmpty else { return [] }
    guard !found.isEmpty else {
      return [Check(name: "The researcher's gaps", isPassed: true, finding: "none were told.")]
    }
    let told = found.filter { gap in text.contains(gap) }.count
    let words = found.map { String($0.dropFirst(2).prefix(200)) }.joined(separator: " ")
    guard told == found.count else {
      return [
        Check(
          name: "The researcher's gaps", isPassed: false,
          finding: "\(found.count - told) of \(found.count) are not told.",
          suggestion: "Tell the reader: \(words)")
      ]
    }
    return [
      Check(
        name: "The researcher's gaps", isPassed: false, finding: "told, and still open.",
        suggestion: "Close them with further sources: \(words)")
    ]
  }

  private static func statements(_ text: String) -> [String] {
    var statements: [String] = []
    var isInside = true
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("#") {
        let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
        isInside = !["source", "gap", "reference"].contains { title.hasPrefix($0) }
        continue
      }
      guard isInside, !line.hasPrefix(Extractor.notice), !line.hasPrefix("|"),
        !line.hasPrefix("```"), TextTerms.words(String(line)).count >= 5
      else { continue }
      statements.append(String(line))
    }
    return statements
  }

  /// Returns the numbers of the sources that the given statement cites.
  ///
  /// Citations have the form `[2]` or `[1, 3]`.
  private static func cited(_ statement: String) -> Set<Int> {
    var numbers: Set<Int> = []
    for piece in statement.split(separator: "[").dropFirst() {
      guard let end = piece.firstIndex(of: "]"),
        piece.distance(from: piece.startIndex, to: end) < 40
      else { continue }
      let parts = piece[..<end].split(separator: ",").map { $0.drop { $0 == " " } }
      numbers.formUnion(parts.compactMap { Int($0) }.filter { $0 > 0 })
    }
    return numbers
  }

  private static func numbers(_ numbers: [Int]) -> String {
    numbers.prefix(10).map { "[\($0)]" }.joined(separator: ", ")
  }

  /// Returns the first few of the given statements, shortened, on one line.
  private static func examples(_ statements: [String]) -> String {
    statements.prefix(3).map { statement in
      let text = InlineMarkdown.plain(
        statement.hasPrefix("- ") ? String(statement.dropFirst(2)) : statement)
      let start = text.count > 80 ? text.prefix(80) + "…" : text[...]
      return "“\(InlineMarkdown.escaped(String(start)))”"
    }.joined(separator: "; ")
  }
}
