package import Core
import Foundation

/// Pages that stages name as sources.
package enum NamedPages {
  /// Returns the pages that the given researcher's stage names in `researchURLs` or in its task.
  package static func of(_ stage: Stage) -> [String] {
    guard stage.role == .researcher else { return [] }
    let named = (stage.researchURLs ?? []) + urls(in: stage.task)
    var seen = Set<String>()
    return named.filter { isWebURL($0) && seen.insert($0).inserted }
  }

  /// The maximum number of pages that are read for a stage.
  package static let maximum = 3

  /// Returns `true` if the given text is an absolute http or https URL.
  ///
  /// No other URL in a record is fetched.
  package static func isWebURL(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
    return (scheme == "http" || scheme == "https") && !(url.host ?? "").isEmpty
  }

  /// Returns the http and https URLs in the given text, in order.
  package static func urls(in text: String) -> [String] {
    text.split { $0.isWhitespace || "<>\"`".contains($0) }.compactMap { word in
      guard let start = word.range(of: "https://") ?? word.range(of: "http://") else { return nil }
      return String(trimmed(word[start.lowerBound...]))
    }
  }

  /// Returns the given word without surrounding punctuation and brackets.
  private static func trimmed(_ word: Substring) -> Substring {
    // The brackets are counted once, because a word may end in a million of them.
    var unopened: [Character: Int] = [:]
    for (opening, closing) in zip("([{", ")]}") {
      unopened[closing] = word.count { $0 == closing } - word.count { $0 == opening }
    }
    var url = word
    while let last = url.last {
      if let count = unopened[last], count > 0 {
        unopened[last] = count - 1
      } else if !".,;:!?'*_".contains(last) {
        break
      }
      url = url.dropLast()
    }
    return url
  }
}
