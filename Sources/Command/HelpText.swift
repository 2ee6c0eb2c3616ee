/// Help as the parser makes it, but for the line of usage, which it does not wrap.
enum HelpText {
  /// Folds the line of usage between its operands and options.
  ///
  /// - Parameters:
  ///   - help: The whole text.
  ///   - width: The cells of a line.
  /// - Returns: The text.
  static func folded(_ help: String, to width: Int = 80) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        let isLong = line.hasPrefix("USAGE: ") && line.count > width
        return isLong ? folded(line: line, to: width) : String(line)
      }
      .joined(separator: "\n")
  }

  private static func folded(line: Substring, to width: Int) -> String {
    var lines = [""]
    var open = 0
    for word in line.split(separator: " ") {
      let last = lines[lines.count - 1]
      // Inside brackets a line goes on, as long as it may get.
      if last.isEmpty || open > 0 || last.count + 1 + length(from: word, in: line) <= width {
        lines[lines.count - 1] += (last.isEmpty ? "" : " ") + word
      } else {
        lines.append("         " + word)
      }
      open += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    return lines.joined(separator: "\n")
  }

  /// The length of a word, with all up to the end of the brackets that it opens.
  private static func length(from word: Substring, in line: Substring) -> Int {
    var open = 0
    let rest = line[word.startIndex...]
    for (count, character) in rest.enumerated() {
      if character == "[" { open += 1 }
      if character == "]" { open -= 1 }
      if character == " ", open == 0 { return count }
    }
    return rest.count
  }
}
