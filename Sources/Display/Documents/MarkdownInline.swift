/// What stands within a line of Markdown: emphasis, code, links (CommonMark 0.31, section 6).
///
/// What is not understood stands as it is: nothing is lost.
struct MarkdownInline {
  private let characters: [Character]
  private var index = 0
  private var pieces: [StyledText] = []
  private var text = ""
  private var looks: [(mark: String, look: Look)] = []
  /// So many characters more are looked through for the ends of marks: made-up text may have very many
  /// marks that never end.
  private var patience: Int

  private init(_ line: String) {
    characters = Array(line)
    patience = 20 * characters.count + 10_000
  }

  /// The pieces of a line.
  ///
  /// - Parameters:
  ///   - line: The line, or several that belong together.
  ///   - base: How what is not marked stands out.
  /// - Returns: The pieces, in their order.
  static func pieces(_ line: String, base: Look = .plain) -> [StyledText] {
    var inline = MarkdownInline(line)
    while inline.index < inline.characters.count { inline.step() }
    inline.flush()
    guard base != .plain else { return inline.pieces }
    return inline.pieces.map {
      $0.look == .plain ? StyledText($0.text, base, address: $0.address) : $0
    }
  }

  private mutating func step() {
    let character = characters[index]
    switch character {
    case "\\"
    where index + 1 < characters.count && "\\`*_{}[]()#+-.!|~<>\"'&".contains(characters[index + 1]):
      text.append(characters[index + 1])
      index += 2
    case "`": code()
    case "*", "_", "~": emphasis(character)
    case "!" where peek(1) == "[": if !link(at: index + 1) { keep() }
    case "[": if !link(at: index) { keep() }
    case "<": if !address() { keep() }
    case "&": if !entity() { keep() }
    default: keep()
    }
  }

  private func peek(_ offset: Int) -> Character? {
    characters.indices.contains(index + offset) ? characters[index + offset] : nil
  }

  private mutating func keep() {
    text.append(characters[index])
    index += 1
  }

  /// A reference to a character: what it stands for is text, and marks nothing.
  private mutating func entity() -> Bool {
    guard let (decoded, count) = MarkdownEntity.decoded(characters[index...]) else { return false }
    text += decoded
    index += count
    return true
  }

  private mutating func flush() {
    if !text.isEmpty { pieces.append(StyledText(text, looks.last?.look ?? .plain)) }
    text = ""
  }

  private mutating func code() {
    let count = run(of: "`", at: index)
    var end = index + count
    while end < characters.count, patience > 0 {
      patience -= 1
      let other = run(of: "`", at: end)
      if other == count { break }
      end += max(1, other)
    }
    guard end < characters.count, patience > 0 else {
      text += String(repeating: "`", count: count)
      return index += count
    }
    flush()
    pieces.append(StyledText(String(characters[(index + count)..<end]), .accent))
    index = end + count
  }

  private mutating func emphasis(_ mark: Character) {
    let count = min(run(of: mark, at: index), mark == "~" ? 2 : 3)
    let name = String(repeating: mark, count: count)
    let before = index > 0 ? characters[index - 1] : " "
    let after = peek(count) ?? " "
    // Between letters an underscore is a part of a name.
    let isWithin =
      mark == "_" && (before.isLetter || before.isNumber) && (after.isLetter || after.isNumber)
    if looks.last?.mark == name, !before.isWhitespace, !isWithin {
      flush()
      looks.removeLast()
    } else if !after.isWhitespace, !isWithin, isClosed(name, from: index + count),
      mark != "~" || count == 2
    {
      flush()
      looks.append((name, mark == "~" ? .faint : count == 1 ? .emphasis : .strong))
    } else {
      text += name
    }
    index += count
  }

  /// Whether a mark comes again.
  private mutating func isClosed(_ name: String, from start: Int) -> Bool {
    let mark = Array(name)
    guard start < characters.count else { return false }
    // No further than a long paragraph: what never closes is looked for once a mark.
    let end = min(characters.count, start + 4000)
    var place = start
    while place + mark.count <= end, patience > 0 {
      patience -= 1
      if characters[place] == mark[0], place > start,
        !characters[place - 1].isWhitespace, Array(characters[place..<(place + mark.count)]) == mark
      {
        return true
      }
      place += 1
    }
    return false
  }

  private func run(of character: Character, at start: Int) -> Int {
    var end = start
    while end < characters.count, characters[end] == character { end += 1 }
    return end - start
  }

  /// A link `[text](address)`; false leaves everything as it is.
  private mutating func link(at open: Int) -> Bool {
    guard let close = closing("[", "]", from: open), close + 1 < characters.count,
      characters[close + 1] == "(", let end = closing("(", ")", from: close + 1)
    else { return false }
    let target = String(characters[(close + 2)..<end])
    let address = MarkdownEntity.decoded(
      String(target.prefix { $0 != " " }).filter { $0 != "<" && $0 != ">" })
    flush()
    let words = Self.pieces(String(characters[(open + 1)..<close])).map(\.text).joined()
    pieces.append(StyledText(words.isEmpty ? address : words, .accent, address: address))
    index = end + 1
    return true
  }

  private mutating func closing(_ open: Character, _ close: Character, from start: Int) -> Int? {
    var depth = 0
    var place = start
    while place < min(characters.count, start + 4000), patience > 0 {
      patience -= 1
      switch characters[place] {
      case "\\": place += 1
      case open: depth += 1
      case close:
        depth -= 1
        if depth == 0 { return place }
      default: break
      }
      place += 1
    }
    return nil
  }

  /// An address in angle brackets.
  private mutating func address() -> Bool {
    guard patience > 0, let end = characters[index...].prefix(2000).firstIndex(of: ">") else {
      patience -= 2000
      return false
    }
    let address = String(characters[(index + 1)..<end])
    guard address.hasPrefix("http://") || address.hasPrefix("https://"), !address.contains(" ")
    else { return false }
    flush()
    pieces.append(StyledText(address, .accent, address: address))
    index = end + 1
    return true
  }
}
