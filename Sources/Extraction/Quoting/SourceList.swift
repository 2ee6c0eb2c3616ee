import Core

/// The numbered list of a text's sources.
///
/// It is written as a Markdown list, and parsed from such a list.
struct SourceList {
  /// A source in the list.
  struct Entry: Hashable {
    /// The title as plain text; the location if there is no title.
    var title: String
    /// The source's location, which is a URL or a name.
    var place: String

    /// The entry in Markdown without its number.
    var line: String {
      let shown = InlineMarkdown.escaped(title)
      guard place.hasPrefix("http://") || place.hasPrefix("https://") else {
        let name = InlineMarkdown.escaped(Visible.line(place))
        return title == place || name.isEmpty ? shown : "\(shown) — \(name)"
      }
      // Characters that CommonMark does not allow in a link's target, or that would end it, are
      // encoded.
      let target = place.unicodeScalars.map { scalar in
        " <>()\\\"`".unicodeScalars.contains(scalar) || scalar.value < 0x20
          ? "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
          : String(scalar)
      }
      return "[\(shown)](\(target.joined()))"
    }
  }

  var entries: [Entry]

  /// Creates the list of the given sources, in their order.
  init(_ materials: [Brief.Material]) {
    entries = materials.map { material in
      let title = Visible.line(material.title ?? "")
      let place = Visible.line(material.source)
      return Entry(title: title.isEmpty ? place : String(title.prefix(200)), place: place)
    }
  }

  /// Parses the numbered list below the heading `Sources` in the given text.
  ///
  /// The list is empty if the text has no such heading.
  init(reading text: String) {
    entries = []
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("#") {
        isInside = line.drop { $0 == "#" || $0 == " " }.lowercased().hasPrefix("source")
        continue
      }
      guard isInside, let dot = line.firstIndex(of: "."), let number = Int(line[..<dot]),
        number == entries.count + 1
      else { continue }
      entries.append(Self.entry(line[line.index(after: dot)...].drop { $0 == " " }))
    }
  }

  private static func entry(_ line: Substring) -> Entry {
    if line.first == "[", line.last == ")", let middle = line.lastRange(of: "](") {
      return Entry(
        title: InlineMarkdown.plain(String(line[..<middle.lowerBound].dropFirst())),
        place: String(line[middle.upperBound...].dropLast()))
    }
    let text = InlineMarkdown.plain(String(line))
    return Entry(title: text, place: text)
  }

  /// The list in Markdown.
  var markdown: String {
    entries.enumerated().map { "\($0.offset + 1). \($0.element.line)" }.joined(separator: "\n")
  }
}

extension Substring {
  /// Returns the range of the last occurrence of the given ASCII text; nil if there is none.
  fileprivate func lastRange(of mark: String) -> Range<Index>? {
    ranges(of: mark).last
  }
}
