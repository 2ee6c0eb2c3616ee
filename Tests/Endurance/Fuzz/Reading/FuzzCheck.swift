import Core
import Foundation
import Reading
public import TestSupport

/// What must be so whatever a document holds.
public enum FuzzCheck {
  /// Seconds that reading one document may take before it must give up.
  static let deadline = 5.0
  /// Bytes of one value that a page says of itself.
  static let longestValue = 4096

  /// One way to read a document.
  private struct Way: Sendable {
    var name: String
    /// Whether the Markdown is made by us: elsewhere it may be the document as it came.
    var writesMarkdown: Bool
    /// One document in so many is read so.
    var oneIn: Int
    var kind: DocumentKind

    func read(_ document: [UInt8], _ options: ReadOptions) throws(Failure) -> PageFacts {
      try Reader.read(document, as: kind, options: options)
    }
  }

  private static let ways = [
    Way(name: "html", writesMarkdown: true, oneIn: 1, kind: .html),
    Way(name: "feed", writesMarkdown: false, oneIn: 4, kind: .feed),
    Way(name: "markdown", writesMarkdown: false, oneIn: 4, kind: .markdown),
    Way(name: "text", writesMarkdown: false, oneIn: 6, kind: .text),
  ]

  /// Reads a document in every way there is.
  ///
  /// - Returns: What is wrong, one sentence each; empty when all is well.
  public static func faults(_ document: [UInt8], _ random: inout SeededRandom) -> [String] {
    var all: [String] = []
    for way in ways where random.chance(way.oneIn) {
      var faults: [String] = []
      var options = ReadOptions(maximumCharacters: 0, deadlineSeconds: deadline)
      options.baseURL = random.chance(3) ? "" : "https://a.example/dir/page.html"
      options.isWhole = random.chance(4)
      options.showsHidden = random.chance(6)
      options.keepsImages = random.chance(3)
      options.selector = random.chance(8) ? "p, li > a[href], :not(div) h2" : nil
      do throws(Failure) {
        let page = try way.read(document, options)
        faults += self.faults(of: page, way, hasBase: !options.baseURL.isEmpty)
        if random.chance(4) { faults += repeated(page, document, options, way) }
        if random.chance(6) {
          let part = (page.totalCharacters ?? 0) / Int.random(in: 1...6, using: &random)
          let limit = Swift.max(1, part)
          faults += pieces(page, document, options, limit, way)
        }
      } catch {
        // Giving up in time, or refusing what is too large, is an answer.
        let isAnswer = error.code == .timeout || error.code == .badInput
        if !isAnswer { faults.append("failed: \(error.code): \(error.explanation)") }
      }
      all += faults.map { "\(way.name): \($0)" }
    }
    return all
  }

  private static func faults(of page: PageFacts, _ way: Way, hasBase: Bool) -> [String] {
    var faults: [String] = []
    for (name, text) in [("text", page.text ?? ""), ("markdown", page.markdown ?? "")] {
      if let wrong = text.unicodeScalars.first(where: isForbidden) {
        faults.append("\(name) holds U+\(String(wrong.value, radix: 16, uppercase: true))")
      }
    }
    if page.text?.unicodeScalars.count != page.characters { faults.append("characters miscounted") }
    let values = [
      page.title, page.author, page.publishedAt, page.modifiedAt, page.language, page.siteName,
      page.canonicalURL, page.description,
    ]
    for value in values.compactMap({ $0 }) {
      if value.utf8.count > longestValue { faults.append("a value of \(value.utf8.count) bytes") }
      if let wrong = value.unicodeScalars.first(where: { isForbidden($0) }) {
        faults.append("a value holds U+\(String(wrong.value, radix: 16, uppercase: true))")
      }
    }
    faults += (page.links ?? []).filter { !isSafe($0.url, hasBase) }.map {
      "links to '\($0.url.prefix(80))'"
    }
    guard way.writesMarkdown else { return faults }
    faults += MarkdownTargets.targets(in: page.markdown ?? "").filter {
      !isSafe($0, hasBase) && !$0.isEmpty
    }
    .map { "Markdown links to '\($0.prefix(80))'" }
    return faults
  }

  private static func repeated(
    _ page: PageFacts, _ document: [UInt8], _ options: ReadOptions, _ way: Way
  ) -> [String] {
    let again: PageFacts
    do throws(Failure) { again = try way.read(document, options) } catch {
      return error.code == .timeout ? [] : ["a second reading failed"]
    }
    let isSame =
      again.text == page.text && again.markdown == page.markdown && again.title == page.title
      && again.author == page.author && again.links == page.links && again.hidden == page.hidden
    return isSame ? [] : ["a second reading differs"]
  }

  /// The pieces that offsets cut are the whole.
  private static func pieces(
    _ page: PageFacts, _ document: [UInt8], _ options: ReadOptions, _ limit: Int, _ way: Way
  ) -> [String] {
    var options = options
    options.maximumCharacters = limit
    options.format = .text
    let total = page.totalCharacters ?? 0
    var text = ""
    for _ in 0...(total + 1) {
      let piece: PageFacts
      do throws(Failure) { piece = try way.read(document, options) } catch {
        return error.code == .timeout ? [] : ["a piece failed"]
      }
      let count = piece.characters ?? 0
      if count > limit { return ["a piece is over its limit"] }
      text += piece.text ?? ""
      options.offset += count
      guard count > 0, options.offset < total else { break }
    }
    return text.unicodeScalars.elementsEqual((page.text ?? "").unicodeScalars)
      ? [] : ["the pieces of \(limit) are not the whole"]
  }

  /// Whether a link leads to the web; without an address of its own, a page's may be relative.
  private static func isSafe(_ url: String, _ hasBase: Bool) -> Bool {
    let scheme = url.prefix { !":/?#".contains($0) }
    guard url[scheme.endIndex...].first == ":" else { return !hasBase }
    return ["http", "https", "mailto"].contains(scheme.lowercased())
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF: true
    case 0xE0000...0xE007F: true
    default: false
    }
  }
}
