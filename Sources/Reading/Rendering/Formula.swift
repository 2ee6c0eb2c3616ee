/// A formula as TeX.
struct Formula {
  /// The TeX on one line, without delimiters.
  private(set) var tex: [UInt8]
  /// `true` if the formula is a block of its own.
  var isDisplay: Bool

  /// Creates a formula from the TeX that a page contains.
  ///
  /// It is nil if the page's TeX is empty.
  init?(_ source: ArraySlice<UInt8>, isDisplay: Bool = false) {
    var tex: [UInt8] = []
    source.forEachWord { word in
      guard let word else { return }
      if !tex.isEmpty { tex.append(0x20) }
      tex.append(contentsOf: word)
    }
    var inner = tex[...]
    self.isDisplay = isDisplay
    for (open, close, isBlock) in Self.delimiters
    where inner.count >= open.utf8.count + close.utf8.count
      && inner.starts(with: open.utf8) && inner.suffix(close.utf8.count).elementsEqual(close.utf8)
    {
      inner = inner.dropFirst(open.utf8.count).dropLast(close.utf8.count).trimmedSpace
      self.isDisplay = isDisplay || isBlock
      break
    }
    inner = Self.withoutStyle(inner)
    // A backslash at the end would escape the delimiter.
    if inner.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count % 2 == 1 {
      inner = inner.dropLast().trimmedSpace
    }
    guard !inner.isEmpty else { return nil }
    self.tex = Self.closed(inner)
  }

  private static let delimiters = [
    ("$$", "$$", true), ("\\[", "\\]", true), ("\\(", "\\)", false), ("$", "$", false),
  ]

  /// Returns the given TeX without the `{\displaystyle …}` that MediaWiki adds around it.
  private static func withoutStyle(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    for style in ["{\\displaystyle ", "{\\textstyle "]
    where text.starts(with: style.utf8) && text.last == UInt8(ascii: "}") {
      return text.dropFirst(style.utf8.count).dropLast().trimmedSpace
    }
    return text
  }

  /// Returns the given TeX with its dollar signs escaped, so that they cannot end the formula.
  private static func closed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var isEscaped = false
    for byte in text {
      if byte == UInt8(ascii: "$"), !isEscaped { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return output
  }

  /// The delimiter before and after the formula.
  private var delimiter: [UInt8] { Array((isDisplay ? "$$" : "$").utf8) }

  /// The formula between its delimiters, as text.
  var text: [UInt8] { delimiter + tex + delimiter }

  /// Returns the formula between its delimiters, as Markdown.
  ///
  /// A reader without formulas then finds no tag, link, code or reference in it.
  ///
  /// - Parameters:
  ///   - isInTable: `true` if `|` would end a cell.
  ///   - isInEmphasis: `true` if `*` would end emphasis.
  /// - Returns: The Markdown.
  func markdown(isInTable: Bool, isInEmphasis: Bool) -> [UInt8] {
    var output = delimiter
    for (index, byte) in tex.enumerated() {
      let next = index + 1 < tex.count ? tex[index + 1] : 0
      switch byte {
      case UInt8(ascii: "`"): output.append(contentsOf: "‘".utf8)
      case UInt8(ascii: "<") where isLetter(next) || "/!?".utf8.contains(next):
        output.append(contentsOf: "\\lt ".utf8)
      case UInt8(ascii: "&") where isLetter(next) || next == UInt8(ascii: "#"):
        output.append(contentsOf: "& ".utf8)
      case UInt8(ascii: "]") where next == UInt8(ascii: "(") || next == UInt8(ascii: "["):
        output.append(contentsOf: "] ".utf8)
      case UInt8(ascii: "*") where isInEmphasis: output.append(contentsOf: "\\ast ".utf8)
      case UInt8(ascii: "|") where isInTable: output.append(contentsOf: "\\|".utf8)
      default: output.append(byte)
      }
    }
    return output + delimiter
  }
}

extension NodeTree {
  /// Returns the given formula as the TeX that the page contains, otherwise from its MathML.
  ///
  /// It is nil if the formula is not part of the content.
  func formula(
    _ node: Int32, _ content: ContentSelection, _ deadline: Deadline
  ) -> Formula? {
    guard holdsKeptText(node, content, deadline) else { return nil }
    let isDisplay = isDisplayed(node)
    if let found = value(.alttext, of: node).flatMap({ Formula($0, isDisplay: isDisplay) }) {
      return found
    }
    var next = Int(node) + 1
    // Descendants follow their ancestor; see ``NodeTree``.
    while next < nodes.count, nodes[next].parent >= node {
      deadline.spend(1)
      if string(.encoding, of: Int32(next))?.lowercased().hasSuffix("tex") ?? false {
        let tex = Array(nearText(of: Int32(next), limit: 4096, deadline).utf8)
        if let found = Formula(tex[...], isDisplay: isDisplay) { return found }
      }
      next += 1
    }
    let tex = MathMarkup.tex(of: node, in: self, content, deadline)
    return Formula(tex[...], isDisplay: isDisplay)
  }

  /// Returns `true` if the given formula is a block of its own.
  ///
  /// The formula says so, or one of the elements that KaTeX, MathJax and MediaWiki put around it.
  private func isDisplayed(_ node: Int32) -> Bool {
    if string(.display, of: node)?.lowercased() == "block" { return true }
    var around = node
    for _ in 0..<4 {
      around = self[around].parent
      guard around > 0, !Tag.block.contains(self[around].tag) else { return false }
      if let names = string(.class, of: around),
        Self.displays.contains(where: { names.contains($0) })
      {
        return true
      }
    }
    return false
  }

  private static let displays = ["katex-display", "MathJax_Display", "mwe-math-element-block"]

  private func holdsKeptText(
    _ node: Int32, _ content: ContentSelection, _ deadline: Deadline
  ) -> Bool {
    var next = Int(node) + 1
    while next < nodes.count, nodes[next].parent >= node {
      deadline.spend(1)
      if nodes[next].tag == .text, !content.isDropped[next] { return true }
      next += 1
    }
    return false
  }

  /// Returns `true` if the given node, which has no text, is next to content text.
  func isAmongContent(_ node: Int32, _ content: ContentSelection) -> Bool {
    for step in [-1, 1] {
      var at = Int(node) + step
      var looked = 0
      while at > 0, at < nodes.count, looked < 40 {
        looked += 1
        // The MathML of a formula is hidden if the formula has an image.
        if content.isDropped[at], let math = formula(around: Int32(at)) {
          at = step < 0 ? Int(math) - 1 : end(of: math)
          continue
        }
        if nodes[at].tag == .text, bytes(of: Int32(at)).contains(where: { !isSpace($0) }) {
          if !content.isDropped[at] { return true }
          break
        }
        at += step
      }
    }
    return false
  }

  /// Returns the formula that the given node is a part of; nil if it is not within a formula.
  private func formula(around node: Int32) -> Int32? {
    var around = node
    for _ in 0..<64 where around > 0 && self[around].tag != .math { around = self[around].parent }
    return around > 0 && self[around].tag == .math ? around : nil
  }

  /// Returns the index after the last node in the given element.
  private func end(of node: Int32) -> Int {
    var last = node
    while last > 0, self[last].next < 0 { last = self[last].parent }
    return last > 0 ? Int(self[last].next) : nodes.count
  }

  /// Returns the formula that the given image shows, as on Wikipedia; otherwise nil.
  ///
  /// It is nil, too, if the formula beside the image is content.
  func formula(
    ofImage node: Int32, _ content: ContentSelection, _ deadline: Deadline
  ) -> Formula? {
    guard isFormulaImage(node), let source = value(.alt, of: node)?.prefix(4096) else { return nil }
    let around = self[node].parent
    // The parts of one formula are together in an inline element.
    if !Tag.block.contains(self[around].tag), Int(node - around) < 4096 {
      for next in Int(around)..<Int(node) where nodes[next].tag == .math {
        if holdsKeptText(Int32(next), content, deadline) { return nil }
      }
      deadline.spend(Int(node - around))
    }
    let names = string(.class, of: node) ?? ""
    return Formula(source, isDisplay: names.contains("-display"))
  }
}
