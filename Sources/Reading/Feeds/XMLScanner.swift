import Markdown

/// A scanner for the XML of feeds and sitemaps, which makes one pass and builds no tree.
///
/// Entities that a document declares are never expanded, so expansion attacks are impossible.
/// Malformed markup is skipped. Names are returned without their prefix.
struct XMLScanner {
  /// A part of an XML document.
  enum Event {
    case start(String)
    case end(String)
    case text([UInt8])
  }

  private let input: [UInt8]
  private var index = 0
  /// The name of an empty element whose end has still to be returned; nil if there is none.
  private var pendingEnd: String?
  /// `true` once a section that never ends was found.
  private var isCut = false
  /// The range of the attributes in the last start tag.
  private var attributes: Range<Int> = 0..<0

  /// Creates a scanner for the given document, which must be valid UTF-8.
  init(_ input: [UInt8]) { self.input = input }

  /// Returns the next event; nil at the end of the document.
  mutating func next() -> Event? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while index < input.count {
      guard input[index] == UInt8(ascii: "<") else { return text() }
      if starts("<![CDATA[") { return section() }
      if starts("<!--") {
        skip(past: "-->")
      } else if starts("<?") {
        skip(past: "?>")
      } else if starts("<!") {
        declaration()
      } else if let event = tag() {
        return event
      }
    }
    return nil
  }

  /// Returns the value of the given attribute in the last start tag.
  func attribute(_ wanted: String) -> [UInt8]? {
    var rest = input[attributes]
    while true {
      rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: "/") }
      guard !rest.isEmpty else { return nil }
      let name = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: "=") }
      rest = rest[name.endIndex...].drop(while: isSpace)
      guard rest.first == UInt8(ascii: "=") else {
        if name.isEmpty { return nil }
        continue
      }
      rest = rest.dropFirst().drop(while: isSpace)
      guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { continue }
      let value = rest.dropFirst().prefix { $0 != quote }
      rest = rest[value.endIndex...].dropFirst()
      if name.elementsEqual(wanted.utf8) { return Self.decoded(value) }
    }
  }

  private mutating func text() -> Event {
    let start = index
    index = input[index...].firstIndex(of: UInt8(ascii: "<")) ?? input.count
    return .text(Self.decoded(input[start..<index]))
  }

  private mutating func section() -> Event {
    let start = index + 9
    skip(past: "]]>")
    return .text(Array(input[start..<max(start, isCut ? input.count : index - 3)]))
  }

  /// Reads the tag at the current index.
  ///
  /// A `<` that begins no tag is returned as text.
  private mutating func tag() -> Event? {
    let isEnd = byte(1) == UInt8(ascii: "/")
    let start = index + (isEnd ? 2 : 1)
    guard start < input.count, isLetter(input[start]) || input[start] == UInt8(ascii: "_") else {
      index += 1
      return .text([UInt8(ascii: "<")])
    }
    var end = start
    while end < input.count, !isSpace(input[end]), input[end] != UInt8(ascii: ">"),
      input[end] != UInt8(ascii: "/")
    {
      end += 1
    }
    let local = input[start..<end].split(separator: UInt8(ascii: ":")).last ?? []
    let name = String(decoding: local.prefix(64), as: UTF8.self)
    index = tagEnd(from: end)
    if isEnd { return .end(name) }
    attributes = end..<max(end, index - 1)
    if index >= 2, input[index - 2] == UInt8(ascii: "/") { pendingEnd = name }
    return .start(name)
  }

  /// Returns the index after the `>` that ends the tag at `start`.
  ///
  /// A `>` in quotes does not count.
  private func tagEnd(from start: Int) -> Int {
    var quote: UInt8?
    for at in start..<input.count {
      let byte = input[at]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return at + 1
      }
    }
    return input.count
  }

  /// Skips a document type declaration.
  private mutating func declaration() {
    var depth = 0
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0:
        index += 1
        return
      default: break
      }
      index += 1
    }
  }

  private mutating func skip(past end: String) {
    guard let found = input[index...].firstOffset(of: end.utf8) else {
      isCut = true
      index = input.count
      return
    }
    index = found + end.utf8.count
  }

  private func starts(_ text: String) -> Bool { input[index...].starts(with: text.utf8) }

  private func byte(_ offset: Int) -> UInt8 {
    index + offset < input.count ? input[index + offset] : 0
  }

  /// Returns the given text with numeric and HTML character references resolved.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "&"),
        let reference = MarkupReference(text[index...], isAttribute: false)
      {
        output.append(contentsOf: reference.text)
        index += reference.length
      } else {
        output.append(text[index])
        index += 1
      }
    }
    return output
  }
}
