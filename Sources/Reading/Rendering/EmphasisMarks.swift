extension MarkdownWriter {
  /// Returns the Markdown, with its emphasis marks written as `*` and `~`.
  ///
  /// Marks that CommonMark would show as stars instead of emphasis are dropped (section 6.2,
  /// "left-flanking" and "right-flanking").
  ///
  /// - Parameter blocks: The starts of blocks in ``output``, in order.
  /// - Returns: The Markdown, and the starts of blocks in it.
  func finished(_ blocks: [BlockMark]) -> (markdown: [UInt8], blocks: [BlockMark]) {
    var marks = EmphasisMarks(output)
    guard !marks.isEmpty else { return (output, blocks) }
    marks.settle()
    return marks.written(blocks)
  }
}

/// The emphasis marks in a text, in which each mark is still a control byte.
private struct EmphasisMarks {
  private struct Mark {
    var position: Int
    var isOpen: Bool
    var kind: UInt8
    var isDropped = false
    /// The index of the mark at the other end of the same emphasis; -1 if there is none.
    var partner = -1
  }

  /// The kind of the character next to a mark.
  private enum Neighbour {
    case space, word, punctuation
    /// A symbol whose kind differs between older and newer versions of CommonMark.
    case symbol
  }

  private let text: [UInt8]
  private var marks: [Mark] = []

  init(_ text: [UInt8]) {
    self.text = text
    var open: [Int] = []
    for (position, byte) in text.enumerated() where byte > 0 && byte < 7 {
      var mark = Mark(position: position, isOpen: byte & 1 == 1, kind: (byte - 1) & ~1)
      if mark.isOpen {
        open.append(marks.count)
      } else if let last = open.popLast() {
        mark.partner = last
        marks[last].partner = marks.count
      }
      marks.append(mark)
    }
    for index in marks.indices where marks[index].partner < 0 { marks[index].isDropped = true }
  }

  var isEmpty: Bool { marks.isEmpty }

  /// Drops those marks that CommonMark would not read as emphasis.
  mutating func settle() {
    joinNeighbours()
    // Dropping a mark affects its neighbours; two rounds have been enough for all output so far.
    for _ in 0..<4 {
      var changed = false
      /// The number of open stars now, and at the start of the current run.
      var open = 0
      var openBefore = 0
      for index in marks.indices where !marks[index].isDropped {
        let isStar = marks[index].kind != 4
        guard marks[index].isOpen else {
          if isStar { open -= 1 }
          continue
        }
        let continuesRun =
          isStar && index > 0 && marks[index - 1].isOpen && !marks[index - 1].isDropped
          && marks[index - 1].kind != 4
          && marks[index - 1].position + 1 == marks[index].position
        if !continuesRun { openBefore = open }
        let partner = marks[index].partner
        if canOpen(index), canClose(partner), !isStar || openBefore == 0 || !mayClose(index) {
          if isStar { open += 1 }
          continue
        }
        marks[index].isDropped = true
        marks[partner].isDropped = true
        changed = true
      }
      if !changed { return }
    }
  }

  /// Joins emphasis that directly follows other emphasis.
  ///
  /// Emphasis of the same kind is merged. Marks of another kind are dropped.
  private mutating func joinNeighbours() {
    var kept: [Int] = []
    for next in marks.indices where !marks[next].isDropped {
      guard marks[next].isOpen, let last = kept.last, !marks[last].isOpen,
        marks[next].position - marks[last].position == next - last
      else {
        kept.append(next)
        continue
      }
      let end = marks[next].partner
      marks[next].isDropped = true
      if marks[last].kind == marks[next].kind {
        let start = marks[last].partner
        marks[last].isDropped = true
        marks[start].partner = end
        marks[end].partner = start
        kept.removeLast()
      } else {
        marks[end].isDropped = true
      }
    }
  }

  private func canOpen(_ index: Int) -> Bool {
    let inner = neighbour(index, step: 1)
    switch inner {
    case .space: return false
    case .word: return true
    case .punctuation, .symbol:
      let outer = neighbour(index, step: -1)
      return outer == .space || outer == .punctuation
    }
  }

  /// Returns `true` if the opening run with the given mark could close the emphasis around it.
  private func mayClose(_ index: Int) -> Bool {
    let outer = neighbour(index, step: -1)
    return outer == .word || outer != .space && neighbour(index, step: 1) != .word
  }

  private func canClose(_ index: Int) -> Bool {
    let inner = neighbour(index, step: -1)
    switch inner {
    case .space: return false
    case .word: return true
    case .punctuation, .symbol:
      let outer = neighbour(index, step: 1)
      return outer == .space || outer == .punctuation
    }
  }

  /// Returns the kind of the character next to the run of stars or tildes with the given mark.
  private func neighbour(_ index: Int, step: Int) -> Neighbour {
    let isStrike = marks[index].kind == 4
    var mark = index
    var position = marks[index].position + step
    while position >= 0, position < text.count, text[position] > 0, text[position] < 7 {
      mark += step
      if !marks[mark].isDropped, (marks[mark].kind == 4) != isStrike { return .punctuation }
      position += step
    }
    guard position >= 0, position < text.count else { return .space }
    return kind(at: position)
  }

  private func kind(at position: Int) -> Neighbour {
    let byte = text[position]
    if byte < 0x80 {
      if byte <= 0x20 { return .space }
      return isPunctuation(byte) ? .punctuation : .word
    }
    var start = position
    while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    let end = min(text.count, start + 4)
    guard let scalar = String(decoding: text[start..<end], as: UTF8.self).unicodeScalars.first
    else { return .symbol }
    switch scalar.properties.generalCategory {
    case .spaceSeparator: return .space
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return .punctuation
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      return .word
    default: return .symbol
    }
  }

  /// Returns the text with the remaining marks.
  func written(_ blocks: [BlockMark]) -> (markdown: [UInt8], blocks: [BlockMark]) {
    var output: [UInt8] = []
    output.reserveCapacity(text.count + marks.count)
    var start = 0
    var blocks = blocks
    var block = 0
    func move(upTo position: Int) {
      while block < blocks.count, Int(blocks[block].offset) <= position {
        blocks[block].offset += Int32(clamping: output.count - start)
        block += 1
      }
    }
    for mark in marks {
      move(upTo: mark.position)
      output.append(contentsOf: text[start..<mark.position])
      start = mark.position + 1
      guard !mark.isDropped else { continue }
      switch mark.kind {
      case 0: output.append(contentsOf: "**".utf8)
      case 2: output.append(UInt8(ascii: "*"))
      default: output.append(contentsOf: "~~".utf8)
      }
    }
    move(upTo: text.count)
    output.append(contentsOf: text[start...])
    return (output, blocks)
  }
}
