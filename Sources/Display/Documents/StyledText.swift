/// A piece of a line: its text, its look, and the address that it links to, if any.
struct StyledText: Hashable {
  var text: String
  var look: Look
  var address: String?

  init(_ text: String, _ look: Look = .plain, address: String? = nil) {
    self.text = text
    self.look = look
    self.address = address
  }

  func drawn(_ palette: Palette) -> String {
    let painted = palette.painted(text, look)
    return address.map { palette.linked(painted, to: $0) } ?? painted
  }
}

/// Pieces of styled text that are wrapped at spaces into lines of a given width.
struct StyledLines {
  private var lines: [[StyledText]] = []
  private var line: [StyledText] = []
  private var used = 0
  private let width: Int

  private init(width: Int) { self.width = max(1, width) }

  /// Returns the given pieces in lines of at most `width` cells.
  static func wrapped(_ pieces: [StyledText], to width: Int) -> [[StyledText]] {
    var lines = StyledLines(width: width)
    for word in words(pieces) { lines.add(word) }
    if !lines.line.isEmpty || lines.lines.isEmpty { lines.lines.append(lines.line) }
    return lines.lines
  }

  /// Returns the words in the given pieces.
  ///
  /// A word has one or more pieces; nil stands for a line end.
  private static func words(_ pieces: [StyledText]) -> [[StyledText]?] {
    var words: [[StyledText]?] = []
    var word: [StyledText] = []
    func end() {
      if !word.isEmpty { words.append(word) }
      word = []
    }
    for piece in pieces {
      var part = ""
      for character in piece.text {
        if character == " " || character == "\n" {
          if !part.isEmpty { word.append(StyledText(part, piece.look, address: piece.address)) }
          part = ""
          end()
          if character == "\n" { words.append(nil) }
        } else {
          part.append(character)
        }
      }
      if !part.isEmpty { word.append(StyledText(part, piece.look, address: piece.address)) }
    }
    end()
    return words
  }

  private mutating func add(_ word: [StyledText]?) {
    guard let word else { return endLine() }
    let size = word.reduce(0) { $0 + Cells.width($1.text) }
    if used > 0, used + 1 + size > width { endLine() }
    if used > 0 {
      // A link or a look also covers the space between two of its words.
      let isOne = line.last?.look == word.first?.look && line.last?.address == word.first?.address
      line.append(isOne ? StyledText(" ", word[0].look, address: word[0].address) : StyledText(" "))
      used += 1
    }
    for piece in word { add(piece) }
  }

  /// Adds the given piece of a word.
  ///
  /// A piece wider than a line is split.
  private mutating func add(_ piece: StyledText) {
    guard used + Cells.width(piece.text) > width else { return append(piece) }
    let parts = Cells.broken(piece.text, to: width, first: width - used)
    for (place, part) in parts.enumerated() {
      if place > 0 { endLine() }
      if !part.isEmpty { append(StyledText(part, piece.look, address: piece.address)) }
    }
  }

  private mutating func append(_ piece: StyledText) {
    used += Cells.width(piece.text)
    if let last = line.last, last.look == piece.look, last.address == piece.address {
      line[line.count - 1].text += piece.text
    } else {
      line.append(piece)
    }
  }

  private mutating func endLine() {
    lines.append(line)
    line = []
    used = 0
  }
}
