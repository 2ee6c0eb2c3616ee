/// Rewrites untrusted HTML into the small, unambiguous part of it that libxml2 is then given.
///
/// Tags are found by the tokenizer rules of the WHATWG HTML Standard. Comments, declarations,
/// scripts, styles and every attribute that reading does not look at are left out; attribute
/// values are quoted one way; a `<` that begins nothing becomes `&lt;`. So nothing is left on
/// which libxml2's older rules could disagree, and a tag of 60,000 attributes, for which it takes
/// 8 seconds without a single callback, never reaches it. Time is linear in the input.
struct MarkupScanner {
  let input: [UInt8]
  let limits: ReadLimits
  var output: [UInt8] = []
  var index = 0
  var removed = 0
  private var open: OpenElements
  /// Elements and quotes whose end was searched for and is nowhere in the rest of the input.
  private var unclosedTitle = false
  var unclosedQuotes: Set<UInt8> = []

  /// Whether the document is read as a browser without scripts reads it.
  private let keepsNoscript: Bool
  private var sawNoscript = false
  private var sawScript = false
  private var sawBody = false
  private var linkedData: [Range<Int>] = []
  private var styles: [Range<Int>] = []
  /// By their hashes, the attributes and the tags that only a selector looks at.
  let selectedAttributes: [UInt64: Attribute]
  private let selectedTags: [UInt64: Int]

  /// What a scan made of a document.
  struct Result {
    /// The markup that is safe to parse.
    var markup: [UInt8]
    /// How many control characters were left out of it.
    var removed: Int
    /// Whether there is a `noscript` element.
    var sawNoscript: Bool
    /// Whether there is a script.
    var sawScript: Bool
    /// Where in the input the blocks of linked data (JSON-LD) lie: the one kind of script that
    /// tells what a page is.
    var linkedData: [Range<Int>]
    /// The style sheets that hold on every screen.
    var styles: [ArraySlice<UInt8>]
  }

  /// Scans a document.
  ///
  /// - Parameters:
  ///   - input: Valid UTF-8.
  ///   - limits: The bounds on one tag and on depth.
  ///   - keepsNoscript: Whether the content of `noscript` is markup like any other, or left out. Its
  ///     tags never pass: libxml2 may open the body within, and then everything is in a `noscript`.
  ///   - names: Names that a selector looks at besides.
  /// - Returns: The markup and what was found on the way.
  static func scan(
    _ input: [UInt8], limits: ReadLimits, keepsNoscript: Bool = false,
    names: SelectorNames = SelectorNames()
  ) -> Result {
    var scanner = MarkupScanner(
      input: input, limits: limits, keepsNoscript: keepsNoscript, names: names)
    scanner.run()
    return Result(
      markup: scanner.output, removed: scanner.removed, sawNoscript: scanner.sawNoscript,
      sawScript: scanner.sawScript,
      linkedData: scanner.linkedData, styles: scanner.styles.map { scanner.input[$0] })
  }

  private init(input: [UInt8], limits: ReadLimits, keepsNoscript: Bool, names: SelectorNames) {
    self.input = input
    self.limits = limits
    self.keepsNoscript = keepsNoscript
    selectedAttributes = Dictionary(
      uniqueKeysWithValues: zip(names.attributes.map { NameHash.of($0) }, Attribute.selected))
    selectedTags = Dictionary(
      uniqueKeysWithValues: zip(names.tags.map { NameHash.of($0) }, names.tags.indices))
    open = OpenElements(limit: limits.depth)
    output.reserveCapacity(input.count)
  }

  private mutating func run() {
    while index < input.count {
      let start = index
      while index < input.count, !Self.isSpecial(input[index]) { index += 1 }
      output.append(contentsOf: input[start..<index])
      // Text opens the body too, for libxml2 as for browsers.
      if !sawBody { sawBody = !input[start..<index].allSatisfy(isSpace) }
      guard index < input.count else { return }
      switch input[index] {
      case UInt8(ascii: "&"):
        sawBody = true
        reference(isAttribute: false, upTo: input.count)
      case UInt8(ascii: "<"): markup()
      default:
        removed += 1
        index += 1
      }
    }
  }

  /// Whether a byte is more than text: markup, or a control that libxml2 would drop uncounted.
  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte < 0x20 && !isSpace(byte)
  }

  /// Passes a `&` on, or what the reference stands for that it begins.
  ///
  /// libxml2 knows the names of HTML 4 alone, and none without a semicolon.
  mutating func reference(isAttribute: Bool, upTo end: Int) {
    guard let found = MarkupReference(input[index..<end], isAttribute: isAttribute) else {
      output.append(contentsOf: "&amp;".utf8)
      index += 1
      return
    }
    index += found.length
    for byte in found.text {
      switch byte {
      case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
      case let control where control < 0x20 && !isSpace(control): removed += 1
      default: output.append(byte)
      }
    }
  }

  private mutating func markup() {
    let next = byte(at: index + 1)
    if isLetter(next) {
      startTag()
    } else if next == UInt8(ascii: "/"), isLetter(byte(at: index + 2)) {
      index += 2
      endTag(Tag.named(nameHash()))
    } else if next == UInt8(ascii: "!"), input[index...].starts(with: "<!--".utf8) {
      comment()
    } else if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") || next == UInt8(ascii: "/") {
      skipPastTagEnd()
    } else {
      output.append(contentsOf: "&lt;".utf8)
      index += 1
    }
  }

  /// Skips a comment; one that is never closed hides all that follows, as in a browser.
  private mutating func comment() {
    index += 4
    if byte(at: index) == UInt8(ascii: ">") || input[index...].starts(with: "->".utf8) {
      return skipPastTagEnd()
    }
    while index < input.count {
      guard let dash = input[index...].firstIndex(of: UInt8(ascii: "-")) else { break }
      index = dash + 1
      guard byte(at: index) == UInt8(ascii: "-") else { continue }
      var end = index + 1
      if byte(at: end) == UInt8(ascii: "!") { end += 1 }
      guard byte(at: end) == UInt8(ascii: ">") else { continue }
      index = end + 1
      return
    }
    index = input.count
  }

  private mutating func startTag() {
    index += 1
    let nameHash = nameHash()
    let tag = Tag.named(nameHash)
    beginBody(before: tag)
    let mark = output.count
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: Tag.names[Int(tag.rawValue)])
    if let selected = selectedTags[nameHash] {
      output.append(contentsOf: " \(Attribute.selectedTag.name)=\"\(selected)\"".utf8)
    }
    attributes()
    output.append(UInt8(ascii: ">"))
    if tag == .noscript {
      sawNoscript = true
      if keepsNoscript { return output.removeSubrange(mark...) }
    }
    if tag == .script { sawScript = true }
    if Tag.opaque.contains(tag) {
      let isLinkedData = tag == .script && namesLinkedData(output[mark...])
      let isStyle = tag == .style && holdsOnEveryScreen(output[mark...])
      output.removeSubrange(mark...)
      let start = index
      index = endOfContent(of: tag) ?? input.count
      if isLinkedData { linkedData.append(start..<index) }
      if isStyle { styles.append(start..<index) }
      skipPastTagEnd()
      return
    }
    if Tag.void.contains(tag) || tag == .html || tag == .head || tag == .body { return }
    guard open.open(tag) else {
      output.removeSubrange(mark...)
      if Tag.block.contains(tag) { output.append(contentsOf: "<br>".utf8) }
      return
    }
    if tag == .title || tag == .xmp { plainContent(of: tag) }
  }

  /// Whether a tag as it was written has the type of linked data.
  private func namesLinkedData(_ tag: ArraySlice<UInt8>) -> Bool {
    guard linkedData.count < limits.linkedDataBlocks, tag.count < 1024 else { return false }
    return String(decoding: tag, as: UTF8.self).lowercased()
      .contains("type=\"application/ld+json")
  }

  /// Whether the tag of a style sheet, as it was written, has no `media` but all screens.
  private func holdsOnEveryScreen(_ tag: ArraySlice<UInt8>) -> Bool {
    guard styles.count < limits.styleSheets else { return false }
    let text = String(decoding: tag.prefix(4096), as: UTF8.self).lowercased()
    guard let media = text.firstRange(of: " media=\"") else { return true }
    return StyleScanner.isEveryScreen(text[media.upperBound...].prefix { $0 != "\"" })
  }

  /// Opens the body before the first element that a head cannot hold: libxml2 knows no HTML 5, and
  /// would leave an `<article>` behind a `<title>` in the head.
  private mutating func beginBody(before tag: Tag) {
    guard !sawBody, !Tag.metadata.contains(tag) else { return }
    sawBody = true
    if tag != .body { output.append(contentsOf: "</head><body>".utf8) }
  }

  private mutating func endTag(_ tag: Tag) {
    skipPastTagEnd()
    switch tag {
    // What follows these belongs to the body all the same.
    case .html, .body: return
    case .br: output.append(contentsOf: "<br>".utf8)
    case .head: output.append(contentsOf: "</head>".utf8)
    default:
      let closed = open.close(tag)
      if closed.isEmpty, tag == .p { output.append(contentsOf: "<br>".utf8) }
      for each in closed {
        output.append(contentsOf: "</".utf8)
        output.append(contentsOf: Tag.names[Int(each.rawValue)])
        output.append(UInt8(ascii: ">"))
      }
    }
  }

  /// Passes content on as text, references read, up to the element's end tag.
  private mutating func plainContent(of tag: Tag) {
    guard !unclosedTitle else { return }
    guard let end = endOfContent(of: tag) else {
      unclosedTitle = true
      return
    }
    while index < end {
      switch input[index] {
      case UInt8(ascii: "&"): reference(isAttribute: false, upTo: end)
      case UInt8(ascii: "<"):
        output.append(contentsOf: "&lt;".utf8)
        index += 1
      case let byte where byte < 0x20 && !isSpace(byte):
        removed += 1
        index += 1
      default:
        output.append(input[index])
        index += 1
      }
    }
  }

  /// Where the end tag of an element begins that holds no markup.
  private func endOfContent(of tag: Tag) -> Int? {
    let name = Tag.names[Int(tag.rawValue)]
    var at = index
    while let start = input[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = start + 1
      guard byte(at: at) == UInt8(ascii: "/"), at + 1 + name.count < input.count else { continue }
      let found = input[(at + 1)..<(at + 1 + name.count)]
      guard zip(found, name).allSatisfy({ $0 | 0x20 == $1 }) else { continue }
      let after = input[at + 1 + name.count]
      if isSpace(after) || after == UInt8(ascii: "/") || after == UInt8(ascii: ">") {
        return start
      }
    }
    return nil
  }

  /// Reads a tag's name.
  private mutating func nameHash() -> UInt64 {
    var hash = NameHash()
    while index < input.count {
      let byte = input[index]
      if isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") { break }
      hash.add(byte.lowercased)
      index += 1
    }
    return hash.value
  }

  private mutating func skipPastTagEnd() {
    index = input[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? input.count
  }

  /// The byte at an index, 0 past the end.
  @inline(__always)
  func byte(at index: Int) -> UInt8 { index < input.count ? input[index] : 0 }
}

extension UInt8 {
  /// The byte with an ASCII capital made small.
  @inline(__always)
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// The value of an ASCII digit.
  @inline(__always)
  func digit(isHex: Bool) -> Int? {
    if isDigit(self) { return Int(self) - 0x30 }
    let letter = self | 0x20
    return isHex && letter &- 0x61 < 6 ? Int(letter) - 0x57 : nil
  }
}
