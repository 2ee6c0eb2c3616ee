package import Core
import Foundation

/// The pages that stages name to be read.
package enum NamedPages {
  /// The pages that a researcher's stage names, in `researchURLs` and in its task.
  package static func of(_ stage: Stage) -> [String] {
    guard stage.role == .researcher else { return [] }
    let named = (stage.researchURLs ?? []) + urls(in: stage.task)
    var seen = Set<String>()
    return named.filter { isWebURL($0) && seen.insert($0).inserted }
  }

  /// So many of them are read.
  package static let maximum = 3

  /// `true` if a text is an absolute http or https URL; nothing else is ever fetched for a record.
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

  /// A URL without the marks and brackets at its end that belong to the sentence around it.
  private static func trimmed(_ word: Substring) -> Substring {
    // Counted once, not for each bracket: a word may end in a million of them.
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
