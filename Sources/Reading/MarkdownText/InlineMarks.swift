/// The words of one line of Markdown without emphasis, code marks, links, images and tags.
struct InlineMarks {
  private(set) var output: [UInt8] = []
  private(set) var links: [(address: ArraySlice<UInt8>, text: [UInt8])] = []

  /// Bytes that were looked at.
  private(set) var steps = 0

  private let line: ArraySlice<UInt8>
  private var index: Int
  /// The closing bracket of each opening one.
  private var closing: [Int: Int] = [:]
  /// The links that are open: where their words began, where they end and where to go on.
  private var open: [(start: Int, end: Int, next: Int, address: ArraySlice<UInt8>)] = []
  /// Runs of backticks that are closed nowhere in the rest of the line.
  private var unclosed: Set<Int> = []
  /// Where the next `)` and the next `>` are; looked for again only behind these.
  private var nextRound: Int
  private var nextAngle: Int

  init(_ line: ArraySlice<UInt8>) {
    self.line = line
    index = line.startIndex
    nextRound = line.startIndex - 1
    nextAngle = nextRound
    var stack: [Int] = []
    var at = line.startIndex
    while at < line.endIndex {
      switch line[at] {
      case UInt8(ascii: "\\"): at += 1
      case UInt8(ascii: "["): stack.append(at)
      case UInt8(ascii: "]"):
        if let start = stack.popLast() { closing[start] = at }
      default: break
      }
      at += 1
    }
  }

  /// Reads the line.
  mutating func read() {
    steps = line.count
    while index < line.endIndex {
      if let link = open.last, index >= link.end {
        steps += output.count - link.start
        links.append((link.address, Array(output[link.start...])))
        index = max(index, link.next)
        open.removeLast()
        continue
      }
      switch line[index] {
      case UInt8(ascii: "\\") where index + 1 < line.endIndex && isMark(line[index + 1]):
        output.append(line[index + 1])
        index += 2
      case UInt8(ascii: "`"): code()
      case UInt8(ascii: "!") where byte(at: index + 1) == UInt8(ascii: "["): image()
      case UInt8(ascii: "["): link()
      case UInt8(ascii: "<"): tag()
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): emphasis()
      case UInt8(ascii: "&"): reference()
      default:
        output.append(line[index])
        index += 1
      }
    }
    for link in open.reversed() { links.append((link.address, Array(output[link.start...]))) }
  }

  private mutating func code() {
    let run = line[index...].prefix { $0 == UInt8(ascii: "`") }.count
    let start = index + run
    var at = start
    while run <= 32, !unclosed.contains(run), at < line.endIndex {
      guard let tick = line[at...].firstIndex(of: UInt8(ascii: "`")) else { break }
      let length = line[tick...].prefix { $0 == UInt8(ascii: "`") }.count
      steps += tick - at + length
      if length == run {
        output += line[start..<tick].trimmedSpace
        index = tick + run
        return
      }
      at = tick + length
    }
    unclosed.insert(run)
    output += line[index..<start]
    index = start
  }

  /// Passes over an image, which has no text.
  private mutating func image() {
    guard let end = closing[index + 1], let target = target(behind: end) else {
      output.append(line[index])
      index += 1
      return
    }
    index = target.next
  }

  private mutating func link() {
    // The address is looked for last, since nothing keeps it for the next bracket.
    guard open.count < 8, let end = closing[index], let target = target(behind: end) else {
      output.append(line[index])
      index += 1
      return
    }
    open.append((output.count, end, target.next, target.address))
    index += 1
  }

  /// The address behind a closing bracket, in round brackets or as the name of a definition.
  private mutating func target(
    behind end: Int
  ) -> (address: ArraySlice<UInt8>, next: Int)? {
    let start = end + 2
    if byte(at: end + 1) == UInt8(ascii: "[") {
      return closing[end + 1].map { (line[start..<start], $0 + 1) }
    }
    guard byte(at: end + 1) == UInt8(ascii: "(") else { return nil }
    if nextRound < start { nextRound = find(UInt8(ascii: ")"), from: start) }
    guard nextRound < line.endIndex, nextRound - start <= 8192 else { return nil }
    steps += nextRound - start
    let address = line[start..<nextRound].trimmedSpace.prefix { !isSpace($0) }
    return (address, nextRound + 1)
  }

  private func find(_ byte: UInt8, from start: Int) -> Int {
    guard start < line.endIndex else { return line.endIndex }
    return line[start...].firstIndex(of: byte) ?? line.endIndex
  }

  /// Passes over a tag; an address in angle brackets is text.
  private mutating func tag() {
    let next = byte(at: index + 1)
    if nextAngle <= index { nextAngle = find(UInt8(ascii: ">"), from: index) }
    let end = nextAngle
    guard isLetter(next) || next == UInt8(ascii: "/"), end < line.endIndex else {
      output.append(line[index])
      index += 1
      return
    }
    let inner = line[(index + 1)..<end]
    if inner.starts(with: "http".utf8) || inner.contains(UInt8(ascii: "@")) {
      links.append((inner, Array(inner)))
      output += inner
    }
    index = end + 1
  }

  /// Passes over marks that touch a word on one side, and within words only stars.
  private mutating func emphasis() {
    let mark = line[index]
    let run = line[index...].prefix { $0 == mark }.count
    let before = index > line.startIndex ? line[index - 1] : 0x20
    let after = index + run < line.endIndex ? line[index + run] : 0x20
    let isMark: Bool
    switch mark {
    case UInt8(ascii: "~"): isMark = run == 2
    case UInt8(ascii: "_"): isMark = isWord(before) != isWord(after)
    default: isMark = !isSpace(before) || !isSpace(after)
    }
    if !isMark || run > 3 { output += line[index..<(index + run)] }
    index += run
  }

  private mutating func reference() {
    if let found = MarkupReference(line[index...], isAttribute: false) {
      // `&#1;` says what the document itself may not hold, and `&#13;` ends no line.
      var text: [UInt8] = []
      _ = found.text.withUnsafeBufferPointer { appendCleaned($0, to: &text) }
      output += text.map { isSpace($0) ? 0x20 : $0 }
      index += found.length
    } else {
      output.append(line[index])
      index += 1
    }
  }

  private func byte(at index: Int) -> UInt8 { index < line.endIndex ? line[index] : 0 }

  private func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte >= 0x80 }

  private func isMark(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !isLetter(byte) && !isDigit(byte)
  }
}
