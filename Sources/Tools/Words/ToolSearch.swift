public import Core
import Foundation

/// A search for tools by words of their names, titles and descriptions.
public enum ToolSearch {
  /// Returns the tools in which a word occurs, the best first.
  ///
  /// A word that few tools have counts more, and a word in a name counts more than one in a
  /// description.
  public static func tools(_ tools: [ToolRecord], for words: String) -> [ToolRecord] {
    let wanted = Set(self.words(words))
    let texts = tools.map { tool in
      (
        name: Set(self.words(tool.name)), title: Set(self.words(tool.title ?? "")),
        description: Set(self.words(String((tool.description ?? "").prefix(20_000))))
      )
    }
    var weights: [String: Double] = [:]
    for word in wanted {
      let count = texts.count { text in
        has(text.name, word) || has(text.title, word) || has(text.description, word)
      }
      weights[word] = log(1 + Double(tools.count) / Double(max(1, count)))
    }
    let scores = texts.map { text in
      weights.reduce(0) { sum, pair in
        let (word, weight) = pair
        let places = [(text.name, 4.0), (text.title, 3), (text.description, 1)]
        return sum + weight * (places.first { has($0.0, word) }?.1 ?? 0)
      }
    }
    return zip(tools, scores).enumerated().filter { $0.element.1 > 0 }
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
      .map(\.element.0)
  }

  /// Returns `true` if one of the words is the given one, or begins with it if that is long.
  private static func has(_ words: Set<String>, _ word: String) -> Bool {
    words.contains(word) || word.count > 3 && words.contains { $0.hasPrefix(word) }
  }

  /// Returns the words of the given text, without endings of the plural and of verbs.
  private static func words(_ text: String) -> [String] {
    var spaced = ""
    for character in text {
      // A capital after a small letter begins a word, as in `listPullRequests`.
      if character.isUppercase, spaced.last?.isLowercase ?? false { spaced.append(" ") }
      spaced.append(character)
    }
    return spaced.lowercased().split { !$0.isLetter && !$0.isNumber }.map { stem(String($0)) }
      .filter { $0.count > 1 }
  }

  private static func stem(_ word: String) -> String {
    for ending in ["ing", "ed", "es", "s"] where word.hasSuffix(ending) {
      let rest = word.dropLast(ending.count)
      if rest.count > 3 { return String(rest) }
    }
    return word
  }
}
