/// A title in a form for comparison, which is its letters and digits in lower case.
struct PlainTitle: Hashable {
  let text: String

  init(_ title: String) {
    var plain = String.UnicodeScalarView()
    for scalar in title.lowercased().unicodeScalars {
      let properties = scalar.properties
      if scalar.isASCII {
        let byte = UInt8(scalar.value)
        if isLetter(byte) || isDigit(byte) { plain.append(scalar) }
      } else if properties.numericType == .digit, let value = properties.numericValue {
        // A title writes `10^6` for the heading's `10⁶`.
        plain.append(contentsOf: String(Int(value)).unicodeScalars)
      } else if properties.isAlphabetic || properties.numericType != nil {
        plain.append(scalar)
      }
    }
    text = String(plain)
  }

  var isEmpty: Bool { text.isEmpty }
  var count: Int { text.utf8.count }
}

/// The texts that may be a page's title, from its head, its linked data and its headings.
struct TitleChoice {
  /// The text of `<title>`.
  var tag: String?
  var openGraph: String?
  /// The title that the linked data states for its main entity.
  var linked: String?
  /// The texts of the first `<h1>` elements.
  var headings: [String] = []
  /// The site's name and the names in its host.
  var sites: [String] = []

  /// Returns the best title, without the site's name; nil if the page has no title.
  func chosen() -> String? {
    let plainSites = sites.map(PlainTitle.init).filter { !$0.isEmpty }
    let usable = headings.map(Self.withoutAnchor).filter {
      let plain = PlainTitle($0)
      return !plain.isEmpty && $0.utf8.count <= 300 && !plainSites.contains(plain)
    }
    guard let base = tag ?? openGraph else { return usable.first ?? linked }
    let plainBase = PlainTitle(base)
    let plainGraph = PlainTitle(openGraph ?? "")
    let plain = usable.map(PlainTitle.init)
    for (index, heading) in plain.enumerated() where heading.count >= 4 {
      if plainBase.text.hasPrefix(heading.text) || heading == plainGraph { return usable[index] }
    }
    for (index, heading) in plain.enumerated() where heading.count >= 10 {
      if plainBase.text.contains(heading.text) { return usable[index] }
    }
    if let heading = usable.first(where: { isSame($0, base) }) { return heading }
    if let openGraph, openGraph.utf8.count >= 10, plainGraph != plainBase,
      plainBase.text.contains(plainGraph.text)
    {
      return openGraph
    }
    return withoutSite(base, plainSites)
  }

  /// Returns `true` if the given heading is short and shares most of its words with the given
  /// title.
  private func isSame(_ heading: String, _ title: String) -> Bool {
    let words = Self.words(heading)
    guard words.count >= 3, heading.utf8.count <= 160 else { return false }
    let telling = Set(words).subtracting(Self.common)
    let wanted = Set(Self.words(title)).subtracting(Self.common)
    guard !telling.isEmpty, !wanted.isEmpty else { return false }
    return Double(telling.intersection(wanted).count)
      >= 0.6 * Double(min(telling.count, wanted.count))
  }

  private static let common: Set = [
    "the", "a", "an", "of", "to", "and", "for", "in", "on", "with", "your", "you", "how", "is",
    "are", "at", "by", "from", "or", "best",
  ]

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func withoutAnchor(_ heading: String) -> String {
    var heading = heading
    while let last = heading.last, "¶#§ ".contains(last) { heading.removeLast() }
    return heading
  }

  /// Returns the given title without segments at its start or end that match the site's name.
  private func withoutSite(_ title: String, _ sites: [PlainTitle]) -> String {
    let segments = Self.segments(title)
    guard segments.count > 1 else { return title }
    var kept = segments[...]
    while kept.count > 1, let last = kept.last, isSite(title[last], sites) { kept.removeLast() }
    while kept.count > 1, let first = kept.first, isSite(title[first], sites) {
      kept.removeFirst()
    }
    if kept.count == segments.count {
      // If no segment matches the site, the last segment is most often its name, unless the first
      // is a single word.
      let isLong = title[segments[0]].contains(" ")
      kept = isLong ? segments.prefix(1) : segments.dropLast()
    }
    guard let first = kept.first, let last = kept.last else { return title }
    return String(title[first.lowerBound..<last.upperBound])
  }

  private func isSite(_ segment: Substring, _ sites: [PlainTitle]) -> Bool {
    let plain = PlainTitle(String(segment))
    return plain.isEmpty
      || sites.contains {
        $0 == plain
          || $0.count > 3 && ($0.text.contains(plain.text) || plain.text.contains($0.text))
      }
  }

  /// Returns the ranges of the segments between separators in the given title, without outer space.
  private static func segments(_ title: String) -> [Range<String.Index>] {
    var segments: [Range<String.Index>] = []
    var start = title.startIndex
    var index = start
    func end(_ end: String.Index) {
      var end = end
      while end > start, title[title.index(before: end)] == " " { end = title.index(before: end) }
      if end > start { segments.append(start..<end) }
    }
    while index < title.endIndex, segments.count < 50 {
      let next = title.index(after: index)
      guard let length = separator(title[index...]), length > 0 else {
        index = next
        continue
      }
      end(index)
      start = title.index(index, offsetBy: length, limitedBy: title.endIndex) ?? title.endIndex
      while start < title.endIndex, title[start] == " " { start = title.index(after: start) }
      index = start
    }
    end(title.endIndex)
    return segments
  }

  /// Returns the length of the separator at the start of the given text; nil if there is none.
  private static func separator(_ text: Substring) -> Int? {
    switch text.first {
    case "|", "»": return 1
    case " ":
      let word = text.dropFirst().prefix { $0 != " " }
      let isMark = marks.contains(String(word)) && text.dropFirst(word.count + 1).first == " "
      return isMark ? word.count + 2 : nil
    default: return nil
    }
  }

  private static let marks: Set = [
    "|", "||", "-", "--", "–", "—", "·", "•", "::", ":", "»", "«", "›", "‹", "/", ">", "<", "~",
    "⋆", "‖", "★",
  ]
}
