/// Takes Markdown's inline marks off a text, and keeps a text from being read as Markdown.
enum InlineMarkdown {
  /// The text on one line without emphasis, images, footnotes and link targets; code spans keep
  /// their marks.
  static func plain(_ text: String) -> String {
    let characters = Array(text)
    let pairs = self.pairs(characters)
    var result = ""
    result.reserveCapacity(text.utf8.count)
    // The `]` of links that are open, and where their targets end.
    var targets: [Int: Int] = [:]
    var index = 0
    while index < characters.count {
      let character = characters[index]
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      switch character {
      case "`":
        let end = pairs[index] ?? index
        result.append(contentsOf: characters[index...end])
        index = end
      case "\\" where next.map(isMark) ?? false:
        if let next { result.append(next) }
        index += 1
      case "!" where next == "[":
        if let close = pairs[index + 1], let end = pairs[close] {
          index = end
        } else {
          result.append(character)
        }
      case "[":
        guard let close = pairs[index] else {
          result.append(character)
          break
        }
        if let end = pairs[close] {
          targets[close] = end
        } else if isFootnote(characters[(index + 1)..<close]) {
          index = close
        } else if index == 0 || " (".contains(characters[index - 1]) {
          // A link by reference: `[text]`, or `[text][reference]`.
          targets[close] =
            characters.dropFirst(close + 1).first == "[" ? pairs[close + 1] ?? close : close
        } else {
          result.append(character)
        }
      case "]": if let end = targets[index] { index = end } else { result.append(character) }
      case "*": if next == "*" { index += 1 }
      case "_":
        let run = underscores(characters, from: index)
        if !run.isEmphasis { result.append(contentsOf: characters[index..<run.end]) }
        index = run.end - 1
      default: result.append(character)
      }
      index += 1
    }
    return result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Where what opens here ends: code spans, brackets, and from the `]` of a link its target's `)`.
  ///
  /// One pass with a stack, so that hostile brackets stay linear.
  private static func pairs(_ characters: [Character]) -> [Int: Int] {
    var pairs: [Int: Int] = [:]
    var brackets: [Int] = []
    var parentheses: [Int] = []
    var ticks = characters.indices.filter { characters[$0] == "`" }[...]
    var index = 0
    while index < characters.count {
      switch characters[index] {
      case "\\" where index + 1 < characters.count && isMark(characters[index + 1]): index += 1
      case "`":
        ticks = ticks.drop { $0 <= index }
        if let end = ticks.first {
          pairs[index] = end
          index = end
        }
      case "[": brackets.append(index)
      case "]": if let start = brackets.popLast() { pairs[start] = index }
      case "(": parentheses.append(index)
      case ")":
        if let start = parentheses.popLast(), start > 0, characters[start - 1] == "]" {
          pairs[start - 1] = index
        }
      default: break
      }
      index += 1
    }
    return pairs
  }

  /// Whether brackets hold the mark of a footnote, such as `12` or `^note`.
  private static func isFootnote(_ content: ArraySlice<Character>) -> Bool {
    content.first == "^" || (content.count <= 4 && content.allSatisfy(\.isNumber))
  }

  private static func isMark(_ character: Character) -> Bool {
    "\\`*_{}[]()#+-.!|<>~&".contains(character)
  }

  /// Where a run of underscores ends, and whether Markdown may take it for emphasis: inside a word
  /// it does not.
  private static func underscores(
    _ characters: [Character], from start: Int
  ) -> (end: Int, isEmphasis: Bool) {
    func isWord(_ index: Int) -> Bool {
      characters.indices.contains(index)
        && (characters[index].isLetter || characters[index].isNumber)
    }
    let end = characters[start...].firstIndex { $0 != "_" } ?? characters.count
    return (end, !(isWord(start - 1) && isWord(end)))
  }

  /// The text so that Markdown shows it as it is: on one line, marks escaped, code spans kept.
  static func escaped(_ text: String) -> String {
    let characters = Array(text)
    var ticks = characters.indices.filter { characters[$0] == "`" }[...]
    var result = ""
    var index = 0
    while index < characters.count {
      let character = characters[index]
      switch character {
      case "`":
        ticks = ticks.drop { $0 <= index }
        if let end = ticks.first, end > index + 1 {
          result.append(contentsOf: characters[index...end])
          index = end
        } else {
          result.append("\\`")
        }
      case "\\", "*", "[", "]", "<", ">", "|", "~", "&":
        result.append("\\")
        result.append(character)
      case "_":
        let run = underscores(characters, from: index)
        let mark = run.isEmphasis ? "\\_" : "_"
        result.append(contentsOf: String(repeating: mark, count: run.end - index))
        index = run.end - 1
      case _ where character.isNewline: result.append(" ")
      default: result.append(character)
      }
      index += 1
    }
    return result
  }
}
