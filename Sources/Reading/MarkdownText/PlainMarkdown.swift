import Core
import Markdown

/// A Markdown document, with its plain text.
///
/// It is read line by line in linear time.
struct PlainMarkdown {
  /// The Markdown without comments.
  private(set) var markdown: [UInt8] = []
  /// The document's text without Markdown marks.
  private(set) var text: [UInt8] = []
  /// The ends of blocks in the text and in the Markdown.
  private(set) var boundaries: [BlockBoundary] = []
  private(set) var links: [PageLink] = []
  /// The first heading, or the title from the front matter.
  private(set) var title: String?
  /// The number of comments that were removed.
  private(set) var hidden = 0

  private let resolver: LinkResolver
  private let deadline: Deadline
  private var listed: Set<String> = []
  private var isInComment = false
  /// The fence that opened the current code block; nil outside of code.
  private var fence: MarkdownLine.Fence?
  private var isAfterBlank = false

  init(_ resolver: LinkResolver, _ deadline: Deadline = Deadline(seconds: .infinity)) {
    self.resolver = resolver
    self.deadline = deadline
  }

  /// Reads the given document, whose line ends must be line feeds.
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

  /// Removes the front matter and reads the title in it.
  ///
  /// The front matter is between two `---` lines at the start of the document.
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
    let read = MarkdownLine(line, isFlat: true)
    if let open = fence {
      markdown += line
      if read.closes(open) { fence = nil } else { write(line, isBlock: false) }
      return
    }
    if !isInComment, let opened = read.fence {
      fence = opened
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
      block(MarkdownLine(shown[...], isFlat: true))
    }
  }

  /// Reads a line outside of code fences.
  private mutating func block(_ line: MarkdownLine) {
    if let (_, words) = line.heading {
      let heading = inline(words)
      setTitle(heading)
      isAfterBlank = true
      write(heading[...], isBlock: true)
      isAfterBlank = true
    } else if line.isDivider {
      isAfterBlank = true
    } else if line.body.first == UInt8(ascii: "|") {
      row(line)
    } else if !definition(line.body) {
      let item = line.item?.text.trimmedSpace
      let isTask = ["[ ] ", "[x] ", "[X] "].contains { item?.starts(with: $0.utf8) ?? false }
      write(inline((item?.dropFirst(isTask ? 4 : 0) ?? line.body).trimmedSpace)[...], isBlock: true)
    }
  }

  private mutating func write(_ line: ArraySlice<UInt8>, isBlock: Bool) {
    guard !isBlock || line.contains(where: { !isSpace($0) }) else { return }
    if !text.isEmpty { text += isAfterBlank ? [0x0A, 0x0A] : [0x0A] }
    isAfterBlank = false
    text += line
  }

  private mutating func row(_ line: MarkdownLine) {
    let cells = line.cells
    guard !line.isTableRule, cells.contains(where: { !$0.isEmpty }) else { return }
    write(Array(cells.map { inline($0) }.joined(separator: [0x09]))[...], isBlock: true)
  }

  /// Reads a link definition, which has the form `[name]: address`.
  ///
  /// - Returns: `false` if the line is not a definition.
  private mutating func definition(_ body: ArraySlice<UInt8>) -> Bool {
    guard body.first == UInt8(ascii: "["), let close = body.firstIndex(of: UInt8(ascii: "]")),
      close + 1 < body.endIndex, body[close + 1] == UInt8(ascii: ":")
    else { return false }
    let address = body[(close + 2)...].trimmedSpace.prefix { !isSpace($0) }
    let bare = address.drop { $0 == UInt8(ascii: "<") }.prefix { $0 != UInt8(ascii: ">") }
    list(bare, text: body[(body.startIndex + 1)..<close])
    return true
  }

  /// Returns the given line without comments.
  ///
  /// A comment may span several lines.
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

  /// Adds the given link, unless there is a link to the same address already.
  private mutating func list(_ address: ArraySlice<UInt8>, text: ArraySlice<UInt8>) {
    guard let url = resolver.resolve(address), links.count < ReadLimits().links,
      listed.insert(url).inserted
    else { return }
    links.append(PageLink(url: url, text: String(decoding: text.prefix(1024), as: UTF8.self)))
  }

  private mutating func inline(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let inline = MarkdownInline(line, [.references, .tags])
    deadline.spend(inline.steps)
    var output: [UInt8] = []
    var open: [(address: [UInt8], start: Int)] = []
    for piece in inline.pieces {
      switch piece {
      case .text(let text), .code(let text, _): output += text
      case .reference(let text, _):
        // `&#1;` stands for a character that a document must not contain, and `&#13;` does not end
        // a line.
        var cleaned: [UInt8] = []
        _ = text.withUnsafeBufferPointer { appendCleaned($0, to: &cleaned) }
        output += cleaned.map { isSpace($0) ? 0x20 : $0 }
      case .link(let address): open.append((address, output.count))
      case .endOfLink:
        if let link = open.popLast() { list(link.address[...], text: output[link.start...]) }
      case .emphasis, .endOfEmphasis: break
      }
    }
    return output
  }
}
