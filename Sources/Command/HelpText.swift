/// The wrapping of the usage line in the help, which the parser does not wrap.
enum HelpText {
  /// Wraps the usage line between its operands and options.
  ///
  /// - Parameters:
  ///   - help: The whole help text.
  ///   - width: The number of columns.
  /// - Returns: The help text with its usage line wrapped.
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
      // Inside brackets the line may grow past the width.
      if last.isEmpty || open > 0 || last.count + 1 + length(from: word, in: line) <= width {
        lines[lines.count - 1] += (last.isEmpty ? "" : " ") + word
      } else {
        lines.append("         " + word)
      }
      open += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the length of the text from the given word to the end of the brackets that it opens.
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
