import Core
import Foundation

/// The words of a line.
extension ShellCommand {
  /// A word without its quotes.
  struct Word {
    /// The characters.
    fileprivate(set) var scalars: [Unicode.Scalar] = []
    /// The place of each character in the line's text.
    fileprivate(set) var places: [Int] = []
    /// For each character, `true` if it was in quotes or escaped.
    fileprivate(set) var isQuoted: [Bool] = []

    /// The word as a text.
    var text: String { String(String.UnicodeScalarView(scalars)) }

    fileprivate mutating func append(_ scalar: Unicode.Scalar, at place: Int, isQuoted: Bool) {
      scalars.append(scalar)
      places.append(place)
      self.isQuoted.append(isQuoted)
    }
  }

  /// The characters that separate words outside of quotes.
  private static let separators = Set(" \t\n\r;&|<>(){}`".unicodeScalars)

  private static func isEscaped(_ scalar: Unicode.Scalar, in quote: Unicode.Scalar?) -> Bool {
    quote == nil || quote == "\"" && "\"\\$`\n".unicodeScalars.contains(scalar)
  }

  /// The words of the line.
  ///
  /// Those of a simple command are exact. Of other lines, they are an estimate, because a shell can
  /// make words in many ways.
  var words: [Word] {
    let all = Array(text.unicodeScalars.prefix(Self.longest))
    var (words, word) = ([Word](), Word?.none)
    var quote: Unicode.Scalar?
    var place = 0
    while place < all.count {
      let scalar = all[place]
      let next = place + 1 < all.count ? all[place + 1] : nil
      if scalar == quote {
        quote = nil
      } else if scalar == "\\", let next, Self.isEscaped(next, in: quote) {
        place += 1
        guard next != "\n" else {
          place += 1
          continue
        }
        word = word ?? Word()
        word?.append(next, at: place, isQuoted: true)
      } else if quote != nil {
        word?.append(scalar, at: place, isQuoted: true)
      } else if scalar == "'" || scalar == "\"" {
        (quote, word) = (scalar, word ?? Word())
      } else if Self.separators.contains(scalar) {
        if let word { words.append(word) }
        word = nil
      } else if scalar != "$" || next != "'" && next != "\"" {
        word = word ?? Word()
        word?.append(scalar, at: place, isQuoted: false)
      }
      place += 1
    }
    return words + (word.map { [$0] } ?? [])
  }

  // MARK: What words name

  /// Returns the places of the options in the line's text that only a rule with them allows.
  func actingOptions(_ words: [Word]) -> [Range<Int>] {
    guard let program = words.first?.text else { return [] }
    return words.indices.dropFirst().compactMap { index in
      let word = words[index]
      // The first operand of tar(1) may be options without a dash.
      let lacksDash = index == 1 && word.scalars.first != "-" && program.hasSuffix("tar")
      let option = (lacksDash ? ["-"] : []) + word.scalars
      return ActingOptions.length(in: option, of: program).map { length in
        word.places[0]..<word.places[length - (lacksDash ? 2 : 1)] + 1
      }
    }
  }

  /// The programs whose first operand is the name of a command.
  private static let groups: Set = [
    "cargo", "docker", "gh", "git", "go", "kubectl", "npm", "swift",
  ]

  /// Returns the texts in the given words that may be paths.
  ///
  /// If `isStart` is `true`, the first word is the program.
  static func paths(of words: [Word], isStart: Bool) -> [String] {
    var paths: [String] = []
    var mayBeOption = true
    for (index, word) in words.enumerated() {
      let isName = isStart && index == 0 || index == 1 && groups.contains(words[0].text)
      if isName, !word.scalars.contains(where: { "/-=".unicodeScalars.contains($0) }) { continue }
      if word.scalars.elementsEqual("--".unicodeScalars) { mayBeOption = false }
      paths += Self.paths(in: word.scalars, isOption: mayBeOption && word.scalars.first == "-")
    }
    // An address of a file may have percent signs.
    paths += paths.compactMap {
      $0.utf8.contains(UInt8(ascii: "%")) ? $0.removingPercentEncoding : nil
    }
    let work = paths.reduce(0) { $0 + $1.unicodeScalars.count + 32 }
    return work > Self.most ? ["*"] : paths.filter { !$0.isEmpty }
  }

  /// The work that the examination of paths may take.
  ///
  /// Agents go on if a hook takes too long.
  private static let most = 1 << 15

  private static func paths(in word: [Unicode.Scalar], isOption: Bool) -> [String] {
    let marks = word.indices.filter { "=:@".unicodeScalars.contains(word[$0]) }
    // Such a word may be any path.
    guard word.count <= FileWord.longest, marks.count <= 64 else { return ["*"] }
    var starts = marks.map { word[($0 + 1)...] }
    // Of `HEAD@{1}`, the braces are no files.
    starts.removeAll { $0.first == "{" && word[$0.startIndex - 1] == "@" }
    if !isOption {
      starts.append(word[...])
    } else if word.count > 2, word[1] != "-" {
      guard word.count <= 256 else { return ["*"] }
      // A value may follow any letter.
      starts += (2..<word.count).map { word[$0...] }
    }
    // Behind a colon, a path may be one from the root of a repository, or follow a host.
    for start in starts where start.first == "/" && start.startIndex > 0 {
      starts.append(start.drop { $0 == "/" })
      let host = start.drop { $0 == "/" }
      starts.append(host.drop { $0 != "/" })
    }
    return starts.map { String(String.UnicodeScalarView($0)) }
  }
}

extension ShellCommand.Word {
  /// The places of `..` in the line's text, by which a path leaves its folder, and of a name with
  /// wildcards that may be `..`.
  var parents: [Range<Int>] {
    let starts = "/=:,@".unicodeScalars
    return scalars.indices.dropLast().filter { index in
      guard scalars[index] == "." else { return false }
      let before = index == 0 ? nil : scalars[index - 1]
      let after = index + 2 < scalars.count ? scalars[index + 2] : nil
      let isStart = before.map { starts.contains($0) || scalars[0] == "-" } ?? true
      if scalars[index + 1] == "." {
        let isEnd = after.map { ",:".unicodeScalars.contains($0) } ?? true
        return before != "." && (after == "/" || isStart && isEnd)
      }
      return isStart && !isQuoted[index + 1] && "*?[".unicodeScalars.contains(scalars[index + 1])
    }.map { places[$0]..<places[$0 + 1] + 1 }
  }
}
