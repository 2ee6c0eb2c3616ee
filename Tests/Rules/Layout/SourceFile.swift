/// A text file of the repository.
struct SourceFile {
  /// The path in the repository, such as `Sources/Core/Failure.swift`.
  var path: String
  /// The lines, without their ends.
  var lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
  }

  /// The folder below `Sources`, which is the target's name; nil elsewhere.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  /// The folder in its target that it lies in; nil at the target's top, and elsewhere.
  var folder: String? {
    let parts = path.split(separator: "/")
    return parts.count > 3 && parts[0] == "Sources" ? String(parts[2]) : nil
  }

  /// The lines that hold code, with their numbers from 1: comments are blank, strings are kept.
  ///
  /// Knows `//` outside of a string on the same line, and `/* … */` by lines. A multi-line string
  /// counts as code, which can only find too much.
  var code: [(number: Int, text: String, isExplained: Bool)] {
    var result: [(Int, String, Bool)] = []
    var isInBlock = false
    var isAfterComment = false
    for (index, line) in lines.enumerated() {
      let text = line.drop(while: { $0 == " " || $0 == "\t" })
      if isInBlock || text.hasPrefix("/*") {
        isInBlock = !text.contains("*/")
        isAfterComment = true
        continue
      }
      if text.hasPrefix("//") {
        isAfterComment = true
        continue
      }
      result.append((index + 1, Self.withoutComment(line), isAfterComment))
      isAfterComment = false
    }
    return result
  }

  /// The part of a line before `//`, if that is not in a string.
  private static func withoutComment(_ line: Substring) -> String {
    var isInString = false
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      if character == "\"", previous != "\\" { isInString.toggle() }
      if character == "/", previous == "/", !isInString {
        return String(line[..<line.index(before: index)])
      }
      previous = previous == "\\" && character == "\\" ? " " : character
    }
    return String(line)
  }
}

extension String {
  /// Whether the text holds a phrase that is not the end or the start of a longer word.
  ///
  /// A boundary is asked for only at an end of the phrase that is itself a letter, digit or `_`.
  func holds(phrase: String) -> Bool {
    func isWord(_ character: Character?) -> Bool {
      guard let character else { return false }
      return character.isLetter || character.isNumber || character == "_"
    }
    var rest = self[...]
    while let found = rest.firstRange(of: phrase) {
      let before = found.lowerBound == startIndex ? nil : self[index(before: found.lowerBound)]
      let after = found.upperBound == endIndex ? nil : self[found.upperBound]
      let startsWell = !isWord(phrase.first) || !isWord(before)
      let endsWell = !isWord(phrase.last) || !isWord(after)
      if startsWell, endsWell { return true }
      rest = self[index(after: found.lowerBound)...]
    }
    return false
  }
}
