package import Core
import Foundation

/// The pages that stages name as sources.
package enum NamedPages {
  /// Returns the pages that a researcher's stage names in `researchURLs` and in its task.
  package static func of(_ stage: Stage) -> [String] {
    guard stage.role == .researcher else { return [] }
    let named = (stage.researchURLs ?? []) + urls(in: stage.task)
    var seen = Set<String>()
    return named.filter { isWebURL($0) && seen.insert($0).inserted }
  }

  /// The maximum number of pages that a stage reads.
  package static let maximum = 3

  /// Returns `true` for an absolute http or https URL; nothing else is ever fetched for a record.
  package static func isWebURL(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
    return (scheme == "http" || scheme == "https") && !(url.host ?? "").isEmpty
  }

  private static func urls(in text: String) -> [String] {
    text.split { $0.isWhitespace || "<>\"`".contains($0) }.compactMap { word in
      guard let start = word.range(of: "https://") ?? word.range(of: "http://") else { return nil }
      return String(trimmed(word[start.lowerBound...]))
    }
  }

  /// Returns a URL without trailing punctuation and brackets that belong to the sentence around it.
  private static func trimmed(_ word: Substring) -> Substring {
    // Counted once, not for each bracket, since a word may end in a million brackets.
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
