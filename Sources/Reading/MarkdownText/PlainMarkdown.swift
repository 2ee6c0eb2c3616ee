import Core

/// Markdown that a server sent, and the same without its marks: line by line, in linear time.
struct PlainMarkdown {
  /// The Markdown without its comments.
  private(set) var markdown: [UInt8] = []
  /// What a reader would see of it.
  private(set) var text: [UInt8] = []
  /// Where blocks end in both.
  private(set) var boundaries: [BlockBoundary] = []
  private(set) var links: [PageLink] = []
  /// The first heading, or the title that the front matter names.
  private(set) var title: String?
  /// How many comments were left out.
  private(set) var hidden = 0

  private let resolver: LinkResolver
  private let deadline: Deadline
  private var listed: Set<String> = []
  private var isInComment = false
  /// The byte and the length of the fence that is open.
  private var fence: (mark: UInt8, count: Int)?
  private var isAfterBlank = false

  init(_ resolver: LinkResolver, _ deadline: Deadline = Deadline(seconds: .infinity)) {
    self.resolver = resolver
    self.deadline = deadline
  }

  /// Reads a document with line feeds for line ends.
  mutating func read(_ document: [UInt8]) {
    var rest = document[...]
    frontMatter(&rest)
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A)
      guard deadline.spend((end ?? rest.endIndex) - rest.startIndex + 1) else { return }
      let line = rest[..<(end ?? rest.endIndex)]
      rest = rest[line.endIndex...].dropFirst()
      self.line(line)
      if end != nil { markdown.append(0x0A) }
    }
  }

  /// Passes over lines between `---` at the start, which tell of the document.
  private mutating func frontMatter(_ rest: inout ArraySlice<UInt8>) {
    guard rest.starts(with: "---\n".utf8),
      let end = rest.firstOffset(of: "\n---\n".utf8), end < 64 * 1024
    else { return }
    for line in rest[..<end].split(separator: 0x0A) where line.starts(with: "title:".utf8) {
      let value = line.dropFirst(6).trimmedSpace.drop { $0 == 0x22 || $0 == 0x27 }
      setTitle(value.lastIndex { $0 != 0x22 && $0 != 0x27 }.map { value[...$0] } ?? [])
    }
    markdown += rest[...(end + 4)]
    rest = rest[(end + 5)...]
  }

  private mutating func setTitle(_ value: some Sequence<UInt8>) {
    let bytes = Array(value)
    guard title == nil, !bytes.isEmpty, bytes.count <= 4096 else { return }
    title = String(decoding: bytes, as: UTF8.self)
  }

  private mutating func line(_ line: ArraySlice<UInt8>) {
    let body = line.drop { isSpace($0) || $0 == UInt8(ascii: ">") }
    if let open = fence {
      markdown += line
      let run = body.prefix { $0 == open.mark }.count
      if run >= open.count, body.trimmedSpace.count == run {
        fence = nil
      } else {
        write(line, isBlock: false)
      }
      return
    }
    for mark in "`~".utf8 {
      let run = body.prefix { $0 == mark }.count
      guard run >= 3, !isInComment, !body.dropFirst(run).contains(UInt8(ascii: "`")) else {
        continue
      }
      fence = (mark, run)
      markdown += line
      isAfterBlank = true
      return
    }
    let shown = withoutComments(line)
    markdown += shown
    if shown[...].trimmedSpace.isEmpty {
      if !isAfterBlank, !text.isEmpty {
        boundaries.append(
          BlockBoundary(text: text.count, markdown: max(0, markdown.count - shown.count - 1)))
      }
      isAfterBlank = true
    } else {
      block(shown[...])
    }
  }

  /// One line that is no part of a fence.
  private mutating func block(_ line: ArraySlice<UInt8>) {
    var body = line.drop { isSpace($0) || $0 == UInt8(ascii: ">") }
    guard let first = body.first else { return }
    let level = body.prefix { $0 == UInt8(ascii: "#") }.count
    if (1...6).contains(level), body.count == level || isSpace(body[body.startIndex + level]) {
      body = body.dropFirst(level).trimmedSpace
      while body.last == UInt8(ascii: "#") { body.removeLast() }
      let heading = inline(body.trimmedSpace)
      setTitle(heading)
      isAfterBlank = true
      write(heading[...], isBlock: true)
      isAfterBlank = true
      return
    }
    if isRule(body.trimmedSpace) {
      isAfterBlank = true
    } else if first == UInt8(ascii: "|") {
      row(body.trimmedSpace)
    } else if !definition(body) {
      write(inline(Self.withoutItemMark(body).trimmedSpace)[...], isBlock: true)
    }
  }

  private mutating func write(_ line: ArraySlice<UInt8>, isBlock: Bool) {
    guard !line.isEmpty || !isBlock else { return }
    if !text.isEmpty { text += isAfterBlank ? [0x0A, 0x0A] : [0x0A] }
    isAfterBlank = false
    text += line
  }

  /// Whether a line is a rule, or underlines a heading.
  private func isRule(_ body: ArraySlice<UInt8>) -> Bool {
    guard let mark = body.first, "-*_=".utf8.contains(mark) else { return false }
    return body.count >= 3 && body.allSatisfy { $0 == mark || $0 == 0x20 }
  }

  private mutating func row(_ body: ArraySlice<UInt8>) {
    let isDelimiter = body.allSatisfy { "|-: ".utf8.contains($0) }
    guard !isDelimiter else { return }
    var cells: [[UInt8]] = [[]]
    var index = body.startIndex + 1
    while index < body.endIndex {
      if body[index] == UInt8(ascii: "\\"), index + 1 < body.endIndex {
        cells[cells.count - 1] += body[index...(index + 1)]
        index += 2
        continue
      }
      if body[index] == UInt8(ascii: "|") {
        cells.append([])
      } else {
        cells[cells.count - 1].append(body[index])
      }
      index += 1
    }
    if cells.last?.isEmpty ?? false { cells.removeLast() }
    var line: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { line.append(0x09) }
      line += inline(cell[...].trimmedSpace)
    }
    write(line[...], isBlock: true)
  }

  /// Reads `[name]: address`, which no reader sees.
  private mutating func definition(_ body: ArraySlice<UInt8>) -> Bool {
    guard body.first == UInt8(ascii: "["), let close = body.firstIndex(of: UInt8(ascii: "]")),
      close + 1 < body.endIndex, body[close + 1] == UInt8(ascii: ":")
    else { return false }
    let address = body[(close + 2)...].trimmedSpace.prefix { !isSpace($0) }
    list(address, text: body[(body.startIndex + 1)..<close])
    return true
  }

  private static func withoutItemMark(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = body
    if let first = rest.first, "-*+".utf8.contains(first) {
      rest = rest.dropFirst()
    } else {
      let digits = rest.prefix(9).prefix(while: isDigit).count
      guard digits > 0 else { return body }
      rest = rest.dropFirst(digits)
      guard let mark = rest.first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")") else {
        return body
      }
      rest = rest.dropFirst()
    }
    guard let space = rest.first, isSpace(space) else { return body }
    let item = rest.drop(while: isSpace)
    let boxes = ["[ ] ", "[x] ", "[X] "]
    return boxes.contains { item.starts(with: $0.utf8) } ? item.dropFirst(4) : item
  }

  /// A line without the comments in it, which may begin and end on others.
  private mutating func withoutComments(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard isInComment || line.contains(UInt8(ascii: "<")) else { return Array(line) }
    var output: [UInt8] = []
    var rest = line
    while !rest.isEmpty {
      if isInComment {
        guard let end = rest.firstOffset(of: "-->".utf8) else { return output }
        rest = rest[(end + 3)...]
        isInComment = false
      } else if let start = rest.firstOffset(of: "<!--".utf8) {
        output += rest[..<start]
        rest = rest[(start + 4)...]
        isInComment = true
        hidden += 1
      } else {
        return output + rest
      }
    }
    return output
  }

  /// Lists a link, once.
  private mutating func list(_ address: ArraySlice<UInt8>, text: ArraySlice<UInt8>) {
    let bare = address.drop { $0 == UInt8(ascii: "<") }.prefix { $0 != UInt8(ascii: ">") }
    guard let url = resolver.resolve(bare), links.count < ReadLimits().links,
      listed.insert(url).inserted
    else { return }
    links.append(PageLink(url: url, text: String(decoding: text.prefix(1024), as: UTF8.self)))
  }

  private mutating func inline(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var reader = InlineMarks(line)
    reader.read()
    deadline.spend(reader.steps)
    for link in reader.links { list(link.address, text: link.text[...]) }
    return reader.output
  }
}
