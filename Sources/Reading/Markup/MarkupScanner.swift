import Markdown

/// A scanner that splits untrusted HTML into texts, attributes, and a skeleton of tags for libxml2.
///
/// Tags are found by the tokenizer rules of the WHATWG HTML Standard. Comments, declarations,
/// scripts, styles and unknown attributes are dropped. The skeleton contains known tag names. In
/// place of each text and each list of attributes, it contains the number of a ``Piece``.
///
/// libxml2 therefore only decides the nesting. It never reads a byte of the page, which it might
/// tokenize differently. It also never gets a tag with 60,000 attributes, which would take 8
/// seconds without a callback. The running time is linear in the size of the input.
struct MarkupScanner {
  let input: [UInt8]
  let limits: ReadLimits
  let deadline: Deadline
  var index = 0
  var removed = 0
  /// The texts and attribute values, without references and invisible characters.
  var text: [UInt8] = []
  var attributes: [NodeTree.Value] = []
  var skeleton: [UInt8] = []
  private var texts: [Piece] = []
  private var lists: [Piece] = []
  /// The index in ``text`` at which the next piece begins.
  var textStart = 0
  var open: OpenElements
  private let tagNames = Tag.names
  /// `true` once a title that never ends was found.
  private var unclosedTitle = false
  /// The quotes that the rest of the input does not contain.
  var unclosedQuotes: Set<UInt8> = []

  /// `true` to read `noscript` elements, as a browser without scripts does.
  private let keepsNoscript: Bool
  /// The number of elements in the skeleton, each of which becomes a node.
  private var elements = 0
  private var sawNoscript = false
  private var sawScript = false
  private var sawBody = false
  /// `true` if the skeleton ends with the tag of a block.
  private var endsAtBlock = false
  private var linkedData: [Range<Int>] = []
  private var styles: [Range<Int>] = []
  /// The attributes and tags that only the selector uses, by the hash of their name.
  let selectedAttributes: [UInt64: Attribute]
  let selectedTags: [UInt64: Int]

  /// A range of ``text`` or of ``attributes``.
  struct Piece {
    var start: Int32
    var count: Int32
  }

  /// The result of scanning a document.
  struct Result {
    /// The input for libxml2.
    ///
    /// Each tag in it has one attribute, whose value is an index in ``lists``. A text is an index
    /// in ``texts``, followed by a comma. ``PieceNumber`` describes the indices.
    var skeleton: [UInt8]
    var texts: [Piece]
    var lists: [Piece]
    /// The bytes of all texts and attribute values, in valid UTF-8.
    var text: [UInt8]
    var attributes: [NodeTree.Value]
    /// The number of invisible characters that were removed.
    var removed: Int
    /// `true` if the document has a `noscript` element.
    var sawNoscript: Bool
    /// `true` if the document has a script.
    var sawScript: Bool
    /// The ranges of the blocks of linked data (JSON-LD) in the input.
    var linkedData: [Range<Int>]
    /// The contents of those `<style>` elements that apply to every screen.
    var styles: [ArraySlice<UInt8>]
  }

  /// Scans a document.
  ///
  /// - Parameters:
  ///   - input: Valid UTF-8.
  ///   - limits: The limits on tags, depth and nodes.
  ///   - deadline: The deadline. Once it has passed, the rest of the input is not read.
  ///   - keepsNoscript: `true` to read the content of `noscript` as markup; `false` to drop it. The
  ///     `noscript` tags themselves are always dropped, because libxml2 might open the body inside
  ///     a `noscript`.
  ///   - names: The names that only the selector uses.
  /// - Returns: The skeleton, its texts and attributes, and the findings of the scan.
  static func scan(
    _ input: [UInt8], limits: ReadLimits, deadline: Deadline = Deadline(seconds: .infinity),
    keepsNoscript: Bool = false, names: SelectorNames = SelectorNames()
  ) -> Result {
    var scanner = MarkupScanner(
      input: input, limits: limits, deadline: deadline, keepsNoscript: keepsNoscript, names: names)
    scanner.run()
    return Result(
      skeleton: scanner.skeleton, texts: scanner.texts, lists: scanner.lists,
      text: scanner.text, attributes: scanner.attributes, removed: scanner.removed,
      sawNoscript: scanner.sawNoscript, sawScript: scanner.sawScript,
      linkedData: scanner.linkedData, styles: scanner.styles.map { input[$0] })
  }

  private init(
    input: [UInt8], limits: ReadLimits, deadline: Deadline, keepsNoscript: Bool,
    names: SelectorNames
  ) {
    self.input = input
    self.limits = limits
    self.deadline = deadline
    self.keepsNoscript = keepsNoscript
    selectedAttributes = Dictionary(
      uniqueKeysWithValues: zip(names.attributes.map { NameHash.of($0) }, Attribute.selected))
    selectedTags = Dictionary(
      uniqueKeysWithValues: zip(names.tags.map { NameHash.of($0) }, names.tags.indices))
    open = OpenElements(limit: limits.depth)
    // Most of a page is not text.
    text.reserveCapacity(input.count / 4)
    skeleton.reserveCapacity(input.count / 8)
  }

  private mutating func run() {
    while index < input.count {
      let start = index
      while index < input.count, !Self.isSpecial(input[index]) { index += 1 }
      text.append(contentsOf: input[start..<index])
      // The limit counts because the tree would not have room for more nodes.
      guard index < input.count, deadline.spend(index - start + 1), elements <= limits.nodes else {
        break
      }
      if input[index] == UInt8(ascii: "<") {
        markup()
      } else {
        reference(isAttribute: false, upTo: input.count)
      }
    }
    endText()
  }

  /// Returns `true` if the given byte may be other than plain text.
  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&")
  }

  /// Appends the text of the character reference at the current index; `&` if there is none.
  mutating func reference(isAttribute: Bool, upTo end: Int) {
    let found = MarkupReference(input[index..<end], isAttribute: isAttribute)
    text.append(contentsOf: found?.text ?? [UInt8(ascii: "&")])
    index += found?.length ?? 1
  }

  /// Stores the text since the last piece as a new piece, and adds its number to the skeleton.
  ///
  /// Blank text is dropped where it would not be visible: before the body, and between two block
  /// tags outside of `pre`. Any other text, except a title, opens the body.
  mutating func endText(isTitle: Bool = false, isEdge: Bool = false) {
    guard text.count > textStart else { return }
    deadline.spend(text.count - textStart)
    removed += text.removeInvisible(from: textStart)
    if !sawBody || isEdge && endsAtBlock, text[textStart...].allSatisfy(isSpace),
      !sawBody || !open.isLiteral
    {
      text.removeSubrange(textStart...)
      return
    }
    if !isTitle { sawBody = true }
    // Offsets are 32 bits wide; the size limits of a page are far below that.
    guard text.count > textStart, text.count < Int(Int32.max) else { return }
    let piece = Piece(start: Int32(textStart), count: Int32(text.count - textStart))
    textStart = text.count
    endsAtBlock = false
    PieceNumber.append(texts.count, to: &skeleton)
    skeleton.append(UInt8(ascii: ","))
    texts.append(piece)
  }

  /// Returns `true` if the given tag, other than `html` and `body`, begins or ends a block.
  private func isEdge(_ tag: Tag) -> Bool {
    Tag.block.contains(tag) && tag != .html && tag != .body
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
      text.append(UInt8(ascii: "<"))
      index += 1
    }
  }

  /// Skips a comment, which extends to the end of the page if it is not closed.
  private mutating func comment() {
    index += 4
    if byte(at: index) == UInt8(ascii: ">") || input[index...].starts(with: "->".utf8) {
      return skipPastTagEnd()
    }
    let start = index
    while let end = input.firstIndex(of: UInt8(ascii: ">"), from: index) {
      deadline.spend(end + 1 - index)
      index = end + 1
      let dash = end - (byte(at: end - 1) == UInt8(ascii: "!") ? 2 : 1)
      guard dash > start, input[dash] == UInt8(ascii: "-"), input[dash - 1] == input[dash] else {
        continue
      }
      return
    }
    index = input.count
  }

  private mutating func startTag() {
    index += 1
    let name = index
    let nameHash = nameHash()
    let tag = Tag.named(nameHash)
    endText(isEdge: isEdge(tag) || Tag.opaque.contains(tag))
    beginBody(before: tag)
    let first = attributes.count
    addNames(of: tag, input[name..<index], nameHash)
    readAttributes()
    if tag == .noscript {
      sawNoscript = true
      if keepsNoscript { return dropAttributes(from: first) }
    }
    if tag == .script { sawScript = true }
    if Tag.opaque.contains(tag) {
      let isLinkedData = tag == .script && namesLinkedData(first)
      let isStyle = tag == .style && holdsOnEveryScreen(first)
      let formula = tag == .script ? formulaDisplay(first) : nil
      dropAttributes(from: first)
      let start = index
      index = endOfContent(of: tag) ?? input.count
      deadline.spend(index - start)
      if isLinkedData { linkedData.append(start..<index) }
      if isStyle { styles.append(start..<index) }
      if let formula { write(formula: start..<index, isDisplay: formula) }
      skipPastTagEnd()
      return
    }
    let isBare = Tag.void.contains(tag) || tag == .html || tag == .head || tag == .body
    guard isBare || open.open(tag) else {
      dropAttributes(from: first)
      if Tag.block.contains(tag) { skeleton.append(contentsOf: "<br>".utf8) }
      return
    }
    write(tag, first)
    if tag == .title || tag == .xmp { plainContent(of: tag) }
  }

  /// Writes the given start tag with its attributes, which begin at the index `first`.
  mutating func write(_ tag: Tag, _ first: Int) {
    endsAtBlock = isEdge(tag)
    if tag != .html, tag != .head, tag != .body { elements += 1 }
    skeleton.append(UInt8(ascii: "<"))
    for byte in tagNames[Int(tag.rawValue)] { skeleton.append(byte) }
    if attributes.count > first {
      for byte in " a=".utf8 { skeleton.append(byte) }
      PieceNumber.append(lists.count, to: &skeleton)
      lists.append(
        Piece(start: Int32(clamping: first), count: Int32(clamping: attributes.count - first)))
    }
    skeleton.append(UInt8(ascii: ">"))
  }

  /// Removes the attributes of a dropped tag, which begin at the index `first`.
  mutating func dropAttributes(from first: Int) {
    guard attributes.count > first else { return }
    text.removeSubrange(Int(attributes[first].start)...)
    attributes.removeSubrange(first...)
    textStart = text.count
  }

  func value(_ attribute: Attribute, from first: Int) -> ArraySlice<UInt8>? {
    deadline.spend(attributes.count - first)
    return attributes[first...].first { $0.attribute == attribute }.map {
      text[Int($0.start)..<Int($0.start + $0.count)]
    }
  }

  /// Returns `true` if the script whose attributes begin at the index `first` is linked data.
  private func namesLinkedData(_ first: Int) -> Bool {
    guard linkedData.count < limits.linkedDataBlocks else { return false }
    return value(.type, from: first)?.starts(withLowercase: "application/ld+json") ?? false
  }

  /// Returns `true` if the style sheet whose attributes begin at `first` applies to every screen.
  private func holdsOnEveryScreen(_ first: Int) -> Bool {
    guard styles.count < limits.styleSheets else { return false }
    guard let media = value(.media, from: first) else { return true }
    return MediaList.isEveryScreen(
      String(decoding: media.prefix(4096), as: UTF8.self).lowercased()[...])
  }

  /// Opens the body before the first element that a head cannot contain.
  ///
  /// libxml2 does not know HTML 5 and would leave an `<article>` in the head.
  mutating func beginBody(before tag: Tag) {
    guard !sawBody, !Tag.metadata.contains(tag) else { return }
    sawBody = true
    if tag != .body { skeleton.append(contentsOf: "</head><body>".utf8) }
  }

  private mutating func endTag(_ tag: Tag) {
    let index = open.index(closing: tag)
    endText(isEdge: index != nil && isEdge(tag))
    skipPastTagEnd()
    switch tag {
    // The text after these end tags still belongs to the body.
    case .html, .body: return
    case .br: skeleton.append(contentsOf: "<br>".utf8)
    case .head: skeleton.append(contentsOf: "</head>".utf8)
    default:
      guard let index else {
        if tag == .p { skeleton.append(contentsOf: "<br>".utf8) }
        return
      }
      // Each element is closed explicitly because, in libxml2, the end of a `nav` does not close an
      // open `div` in it.
      deadline.spend(open.elements.count - index)
      for each in open.elements[index...].lazy.map(\.tag).reversed() where each != .p || each == tag
      {
        skeleton.append(UInt8(ascii: "<"))
        skeleton.append(UInt8(ascii: "/"))
        for byte in tagNames[Int(each.rawValue)] { skeleton.append(byte) }
        skeleton.append(UInt8(ascii: ">"))
        endsAtBlock = isEdge(each)
      }
      open.close(from: index)
    }
  }

  /// Writes the content of the given element as text, with references resolved.
  private mutating func plainContent(of tag: Tag) {
    guard !unclosedTitle else { return }
    guard let end = endOfContent(of: tag) else {
      unclosedTitle = true
      return
    }
    deadline.spend(end - index)
    while index < end {
      if input[index] == UInt8(ascii: "&") {
        reference(isAttribute: false, upTo: end)
      } else {
        text.append(input[index])
        index += 1
      }
    }
    endText(isTitle: tag == .title)
  }

  /// Returns the start of the given element's end tag, before which nothing is markup.
  private func endOfContent(of tag: Tag) -> Int? {
    let name = Tag.names[Int(tag.rawValue)]
    var at = index
    while let start = input.firstIndex(of: UInt8(ascii: "<"), from: at) {
      deadline.spend(start + 1 - at)
      at = start + 1
      let end = at + 1 + name.count
      guard byte(at: at) == UInt8(ascii: "/"), end < input.count else { continue }
      guard name.indices.allSatisfy({ input[at + 1 + $0] | 0x20 == name[$0] }) else { continue }
      let after = input[end]
      if isSpace(after) || after == UInt8(ascii: "/") || after == UInt8(ascii: ">") {
        return start
      }
    }
    return nil
  }

  /// Reads the name of the current tag and returns its hash.
  private mutating func nameHash() -> UInt64 {
    var hash = NameHash()
    let start = index
    while index < input.count {
      let byte = input[index]
      if isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") { break }
      hash.add(byte.lowercased)
      index += 1
    }
    deadline.spend(index - start)
    return hash.value
  }

  mutating func skipPastTagEnd() {
    let start = index
    index = input.firstIndex(of: UInt8(ascii: ">"), from: index).map { $0 + 1 } ?? input.count
    deadline.spend(index - start)
  }

  /// Returns the byte of the input at the given index; 0 past the end.
  @inline(__always)
  func byte(at index: Int) -> UInt8 { index < input.count ? input[index] : 0 }
}
