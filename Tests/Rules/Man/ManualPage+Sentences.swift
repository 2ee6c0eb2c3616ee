extension ManualPage {
  /// The page's prose, a sentence each, without macros; what stands in a display is none.
  var sentences: [String] {
    var sentences: [String] = []
    var sentence: [Substring] = []
    var isDisplay = false
    for words in lines {
      switch words.first {
      case ".Bd": isDisplay = true
      case ".Ed": isDisplay = false
      case let macro? where macro.hasPrefix(".\\\""): continue
      case let macro? where [".Sh", ".Ss", ".It", ".Pp", ".Dl"].contains(macro):
        sentences.append(sentence.joined(separator: " "))
        sentence = []
      default:
        guard !isDisplay else { continue }
        sentence += words.filter { !Self.isMacro($0) }
        // Pages begin each sentence on a line of its own.
        guard let last = sentence.last, [".", "?", "!"].contains(where: last.hasSuffix) else {
          continue
        }
        sentences.append(sentence.joined(separator: " "))
        sentence = []
      }
    }
    return (sentences + [sentence.joined(separator: " ")]).filter { !$0.isEmpty }
  }

  /// Whether a word is one of mdoc(7)'s: two letters, the first of them large, or a lone macro line.
  private static func isMacro(_ word: Substring) -> Bool {
    let letters = word.hasPrefix(".") ? word.dropFirst() : word
    return letters.count == 2 && letters.first?.isUppercase == true
      && letters.last?.isLowercase == true
      && !["If", "In", "It", "Of", "On", "No", "So", "To", "An", "As", "At", "By", "Is"].contains(
        word)
  }
}
