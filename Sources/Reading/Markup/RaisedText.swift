/// The way in which superscript or subscript text is written, so that numbers keep their value.
enum RaisedText: Equatable {
  /// As the words are, such as the end of an ordinal.
  case plain
  /// As the words are, apart from the word before them.
  case apart
  /// With brackets around the text of each link, such as a footnote's mark.
  case marks
  /// As the given bytes instead of the words.
  case written([UInt8])
  /// As the words are, after the given bytes and before a closing parenthesis.
  case enclosed([UInt8])
}

extension NodeTree {
  /// Returns the way in which the given `sup` or `sub` element is written.
  ///
  /// Nodes that are marked in `dropped` do not count.
  func raisedText(
    _ node: Int32, _ dropped: [Bool]?, _ deadline: Deadline
  ) -> RaisedText {
    let reader = RaisedReader(tree: self, dropped: dropped, deadline: deadline)
    return reader.kind(of: node)
  }

  /// Returns the text of the given link between brackets.
  ///
  /// It is nil if the text is long or has brackets already.
  func bracketed(
    _ link: Int32, _ dropped: [Bool]?, _ deadline: Deadline
  ) -> [UInt8]? {
    let reader = RaisedReader(tree: self, dropped: dropped, deadline: deadline)
    guard let inner = reader.inner(of: link), let first = inner.utf8.first,
      !"[(".utf8.contains(first)
    else { return nil }
    return Array("[\(inner)]".utf8)
  }
}

/// A reader of raised or lowered text and of the text around it.
private struct RaisedReader {
  let tree: NodeTree
  let dropped: [Bool]?
  let deadline: Deadline

  /// The maximum number of nodes and of bytes that are examined in or before an element.
  private static let most = 48

  private func isDropped(_ node: Int32) -> Bool { dropped?[Int(node)] ?? false }

  func kind(of node: Int32) -> RaisedText {
    let base = base(of: node)
    let followsWord = base.last.map { $0.isLetter || $0.isNumber } ?? false
    let isRaised = tree[node].tag == .sup
    guard let inner = inner(of: node) else {
      guard followsWord || base.last == ")", holdsScript(node) else {
        return followsWord ? .apart : .plain
      }
      return .enclosed(Array((isRaised ? "^(" : "_(").utf8))
    }
    guard !inner.isEmpty, !isDenominator(node) else { return .plain }
    if isNumerator(node, inner) { return followsWord ? .apart : .plain }
    let hasWords = inner.utf8.contains { isLetter($0) || isDigit($0) }
    if isRaised, hasWords, let mark = mark(node, inner) {
      // Letters after a space are links back from a footnote.
      let isBack = base.last == " " && !inner.utf8.contains(where: isDigit)
      return isBack ? .plain : mark
    }
    guard !base.isEmpty, !holdsLink(node) else { return .plain }
    if let sign = Self.signs[inner] { return .written(Array(sign.utf8)) }
    if let digits = Self.digits(inner, isRaised: isRaised) { return .written(digits) }
    guard hasWords || Self.isLetters(inner) else { return .plain }
    return letters(inner, after: base, isRaised: isRaised, isFollowed: isFollowed(node))
  }

  private static let signs = ["TM": "™", "SM": "℠"]

  /// Returns the text in the given element, without white space at its ends.
  ///
  /// It is nil if the text is long, or has a part that is more than text.
  func inner(of node: Int32) -> String? {
    var bytes: [UInt8] = []
    var next = Int(node) + 1
    // Descendants follow their ancestor; see ``NodeTree``.
    while next < tree.nodes.count, tree.nodes[next].parent >= node {
      guard next <= Int(node) + Self.most, bytes.count <= Self.most else { return nil }
      deadline.spend(1)
      switch tree.nodes[next].tag {
      case _ where isDropped(Int32(next)): break
      case .text: bytes.append(contentsOf: tree.bytes(of: Int32(next)).prefix(Self.most + 1))
      case .math, .img, .br, .code, .sup, .sub: return nil
      case let tag where Tag.block.contains(tag): return nil
      default: break
      }
      next += 1
    }
    return bytes.count > Self.most ? nil : collapsedSpace(bytes)
  }

  /// Returns `true` if the given element, which is short, contains further raised or lowered text.
  private func holdsScript(_ node: Int32) -> Bool {
    var next = node + 1
    var isScript = false
    while Int(next) < tree.nodes.count, tree[next].parent >= node {
      guard next <= node + Int32(Self.most), !Tag.block.contains(tree[next].tag) else {
        return false
      }
      deadline.spend(1)
      isScript = isScript || tree[next].tag == .sup || tree[next].tag == .sub
      next += 1
    }
    return isScript
  }

  /// Returns the end of the text before the given element, in the same block and line.
  ///
  /// It is empty at the start of a block or a line.
  private func base(of node: Int32) -> String {
    let block = block(around: node)
    var space = ""
    var next = node - 1
    while next > block, next >= node - Int32(Self.most) {
      deadline.spend(1)
      if tree[next].tag == .br { return "" }
      if tree[next].tag == .text, !isDropped(next) {
        let bytes = tree.bytes(of: next)
        deadline.spend(Self.most)
        if let end = bytes.suffix(Self.most).lastIndex(where: { !isSpace($0) }) {
          guard self.block(around: next) == block else { return "" }
          let word = bytes[...end].suffix(Self.most)
          if end < bytes.endIndex - 1 { space = " " }
          return String(decoding: word, as: UTF8.self) + space
        }
        if !bytes.isEmpty { space = " " }
      }
      next -= 1
    }
    return ""
  }

  private func block(around node: Int32) -> Int32 {
    var block = tree[node].parent
    // The number of levels is limited, because many elements may be nested in as many others.
    for _ in 0..<Self.most where block > 0 && !Tag.block.contains(tree[block].tag) {
      deadline.spend(1)
      block = tree[block].parent
    }
    return block
  }

  // MARK: Fractions

  /// Returns `true` if the given number, a slash and another number are a fraction.
  private func isNumerator(_ node: Int32, _ inner: String) -> Bool {
    guard tree[node].tag == .sup, Self.isNumber(inner) else { return false }
    let slash = tree[node].next
    guard isSlash(slash) else { return false }
    let below = tree[slash].next
    guard below >= 0, tree[below].tag == .sub else { return false }
    return self.inner(of: below).map(Self.isNumber) ?? false
  }

  private func isDenominator(_ node: Int32) -> Bool {
    guard tree[node].tag == .sub, isSlash(node - 1) else { return false }
    // The last node of the element before the slash.
    var above = node - 2
    for _ in 0..<8 where above > 0 && tree[above].tag != .sup { above = tree[above].parent }
    guard above > 0, tree[above].tag == .sup, tree[above].next == node - 1,
      tree[node - 1].next == node
    else { return false }
    return inner(of: above).map { isNumerator(above, $0) } ?? false
  }

  private func isSlash(_ node: Int32) -> Bool {
    guard node >= 0, tree[node].tag == .text else { return false }
    return ["/", "⁄", "∕"].contains { tree.bytes(of: node).elementsEqual($0.utf8) }
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isDigit)
  }

  // MARK: Marks

  /// Returns the way in which a mark with a link is written; nil if the element is no such mark.
  private func mark(_ node: Int32, _ inner: String) -> RaisedText? {
    let isBracketed = inner.utf8.first.map { "[(".utf8.contains($0) } ?? false
    if holdsLink(node) { return isBracketed ? .plain : .marks }
    var link = tree[node].parent
    for _ in 0..<2 where link > 0 && tree[link].tag != .a { link = tree[link].parent }
    guard link > 0, tree[link].tag == .a, self.inner(ofLink: link, with: node) == inner,
      Self.signs[inner] == nil
    else { return nil }
    return isBracketed ? .plain : .written(Array("[\(inner)]".utf8))
  }

  private func holdsLink(_ node: Int32) -> Bool {
    var next = node + 1
    while Int(next) < tree.nodes.count, tree[next].parent >= node {
      deadline.spend(1)
      if tree[next].tag == .a, tree.value(.href, of: next) != nil {
        return !tree.isPermalink(next, deadline)
      }
      next += 1
    }
    return false
  }

  /// Returns the text in the given link, which contains the given element.
  private func inner(ofLink link: Int32, with node: Int32) -> String? {
    var bytes: [UInt8] = []
    var next = link + 1
    while Int(next) < tree.nodes.count, tree[next].parent >= link {
      guard next <= link + Int32(Self.most), bytes.count <= Self.most else { return nil }
      deadline.spend(1)
      if tree[next].tag == .text, !isDropped(next) {
        bytes.append(contentsOf: tree.bytes(of: next).prefix(Self.most + 1))
      }
      next += 1
    }
    return collapsedSpace(bytes)
  }

  // MARK: Scripts

  /// Returns the given number as raised or lowered digits; nil if it has none or more than digits.
  private static func digits(_ inner: String, isRaised: Bool) -> [UInt8]? {
    var output = ""
    var isDigits = false
    for scalar in inner.unicodeScalars {
      switch scalar {
      case "0"..."9":
        let index = Int(scalar.value - 0x30)
        output += isRaised ? raised[index] : lowered[index]
        isDigits = true
      case "+": output += isRaised ? "⁺" : "₊"
      case "-", "−": output += isRaised ? "⁻" : "₋"
      // A dash before a number is a minus; between numbers it is a range of marks.
      case "–": output += isDigits ? "–" : isRaised ? "⁻" : "₋"
      case ",", " ":
        guard isRaised, isDigits else { return nil }
        output.unicodeScalars.append(scalar)
      default: return nil
      }
    }
    // A sign alone is a charge.
    return isDigits || output.unicodeScalars.count == 1 ? Array(output.utf8) : nil
  }

  private static let raised = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
  private static let lowered = ["₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"]

  /// Returns the way in which a text other than a number is written.
  private func letters(
    _ inner: String, after base: String, isRaised: Bool, isFollowed: Bool
  ) -> RaisedText {
    if inner.hasPrefix("[") { return .plain }
    let before = base.unicodeScalars.last
    let word = base.utf8.reversed().prefix(while: isLetter).count
    let isName = word > 1 && !Self.isRoman(base.utf8.suffix(word))
    let isSingle = inner.unicodeScalars.count == 1
    if isRaised, Self.endings.contains(inner), !isName {
      let isVariable = before == ")" || word == 1 && !Self.isShortened(base.utf8.suffix(1))
      if !isSingle || !isVariable { return .plain }
    }
    let isShort = inner.unicodeScalars.count <= 12 && !inner.contains(" ")
    let isWord = isRaised && isName && !isSingle && Self.isLetters(inner)
    guard isShort, !isWord, before != " " else { return .apart }
    let isPlain = isSingle || !isRaised && Self.isLetters(inner)
    let mark = isRaised ? "^" : "_"
    return .written(Array((isPlain && !isFollowed ? mark + inner : "\(mark)(\(inner))").utf8))
  }

  /// The ends of ordinals and of shortened words in several languages.
  private static let endings: Set = [
    "st", "nd", "rd", "th", "e", "er", "ers", "re", "res", "nde", "nds", "eme", "ème", "ième",
    "de", "te", "ste", "o", "os", "º", "a", "as", "ª", "me", "mes", "lle", "lles", "r", "le", "ie",
    "h",
  ]

  private static func isRoman(_ letters: Substring.UTF8View) -> Bool {
    letters.allSatisfy { "IVXLC".utf8.contains($0) }
  }

  /// Returns `true` if the given letter begins a shortened word, such as `Mme` or `No`.
  private static func isShortened(_ letter: Substring.UTF8View) -> Bool {
    letter.allSatisfy { "IVXMDCNSn".utf8.contains($0) }
  }

  private static func isLetters(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy(\.properties.isAlphabetic)
  }

  /// Returns `true` if a letter or a digit directly follows the given element.
  private func isFollowed(_ node: Int32) -> Bool {
    let next = tree[node].next
    guard next >= 0, tree[next].tag == .text, let first = tree.bytes(of: next).first else {
      return false
    }
    return isLetter(first) || isDigit(first)
  }
}
