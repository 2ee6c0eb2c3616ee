import Foundation

/// A page in mdoc(7), as far as these tests ask.
struct ManualPage {
  /// The page's lines, each as its words.
  let lines: [[Substring]]

  /// Reads `man/NAME`.
  init(_ name: String) throws {
    lines = try Repository.text("man/" + name)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ") }
  }

  /// What the page says the tool does, its `.Nd`.
  var summary: String? { texts(".Nd").first }

  /// The headings, in order.
  var headings: [String] { texts(".Sh") }

  /// Every option that an `Fl` macro names; the lone `--` that ends options is none.
  var options: Set<String> {
    var found: Set<String> = []
    for line in lines where line.first?.hasPrefix(".") == true {
      var isOption = false
      for word in line {
        if word == "Fl" || word == ".Fl" {
          isOption = true
        } else if word.count > 1, word.first?.isUppercase == true {
          // A macro; one capital letter is an option.
          isOption = false
        } else if isOption, word.contains(where: { $0.isLetter || $0.isNumber }) {
          found.insert("-" + word)
        }
      }
    }
    return found
  }

  /// The commands that have an entry of their own.
  var commands: Set<String> {
    Set(
      lines.filter { $0.starts(with: [".It", "Cm"]) }.compactMap { $0.dropFirst(2).first }.map(
        String.init))
  }

  /// The exit statuses that the page lists.
  var exitStatuses: Set<Int32> {
    let section = body(".Sh", "EXIT STATUS")
    let items = section.filter { $0.first == ".It" }.compactMap { $0.dropFirst().first }
    let starts = section.compactMap(\.first).filter { $0 == "0" }
    return Set((items + starts).compactMap { Int32($0) })
  }

  /// The rows of a table, each as its columns.
  func rows(inSection heading: String) -> [[String]] {
    body(".Sh", heading).filter { $0.starts(with: [".It", "Er"]) }.map { words in
      words.dropFirst(2).split(separator: "Ta").map { $0.joined(separator: " ") }
    }
  }

  /// How many displays a section holds.
  func displayCount(inSection heading: String) -> Int {
    body(".Sh", heading).count { $0.first == ".Dl" || $0.first == ".Bd" }
  }

  /// The subsections whose names are one word in lower case: the records.
  var recordSections: [String] {
    texts(".Ss").filter { $0.first?.isLowercase == true && !$0.contains(" ") }
  }

  /// The lines of a subsection's first display, as one.
  func example(inSubsection heading: String) -> String {
    body(".Ss", heading).drop { $0.first != ".Bd" }.dropFirst().prefix { $0.first != ".Ed" }
      .map { $0.joined(separator: " ") }.joined().replacing("\\e", with: "\\")
  }

  /// The members that a subsection explains, and whether they are always there.
  func members(inSubsection heading: String) -> [String: Bool] {
    var members: [String: Bool] = [:]
    for words in body(".Ss", heading) where words.starts(with: [".It", "Cm"]) {
      for name in words.dropFirst(2).prefix(while: { $0 != "No" }) where name != "," {
        members[String(name)] = words.last == "*"
      }
    }
    return members
  }

  private func texts(_ macro: Substring) -> [String] {
    lines.filter { $0.first == macro }.map { $0.dropFirst().joined(separator: " ") }
  }

  /// The lines between a heading and the next one of its rank.
  private func body(_ macro: Substring, _ heading: String) -> [[Substring]] {
    let wanted = [macro] + heading.split(separator: " ")
    return Array(
      lines.drop { $0 != wanted }.dropFirst().prefix { $0.first != macro && $0.first != ".Sh" })
  }
}
