extension MarkupScanner {
  /// Adds the names of the current start tag that a selector or a formula needs.
  mutating func addNames(of tag: Tag, _ name: ArraySlice<UInt8>, _ hash: UInt64) {
    if !selectedTags.isEmpty, let selected = selectedTags[hash] {
      text.append(contentsOf: "\(selected)".utf8)
      addAttribute(.selectedTag)
    }
    if tag == .inline, name.count <= Self.longestMathElement, open.contains(.math) {
      text.append(contentsOf: name.lazy.map(\.lowercased))
      addAttribute(.mathElement)
    }
  }

  /// The number of bytes of `mmultiscripts`, the longest name that ``MathMarkup`` distinguishes.
  private static let longestMathElement = 13

  /// Reads the attributes of the current start tag, and stores those that are known.
  ///
  /// Attributes beyond ``ReadLimits/attributes`` and ``ReadLimits/tagBytes`` are skipped.
  mutating func readAttributes() {
    var seen: UInt64 = 0
    var count = 0
    let start = text.count
    let begin = index
    // A stored value counts twice because it is read twice; the search for a quote is counted
    // below.
    defer { deadline.spend(index - begin + text.count - start) }
    while true {
      while index < input.count, isSpace(input[index]) || input[index] == UInt8(ascii: "/") {
        index += 1
      }
      guard index < input.count else { return }
      if input[index] == UInt8(ascii: ">") {
        index += 1
        return
      }
      let attribute = attributeName()
      count += 1
      // A tag with an unclosed quote ends at the next `>`, so that the rest of the page is not
      // lost.
      guard let value = attributeValue() else { return skipPastTagEnd() }
      guard let attribute, count <= limits.attributes else { continue }
      let bit: UInt64 = 1 << UInt64(attribute.rawValue)
      guard seen & bit == 0, text.count - start + value.count <= limits.tagBytes else { continue }
      seen |= bit
      add(attribute, value)
    }
  }

  private mutating func add(_ attribute: Attribute, _ value: Range<Int>) {
    let end = index
    index = value.lowerBound
    while index < value.upperBound {
      let start = index
      while index < value.upperBound, input[index] != UInt8(ascii: "&") { index += 1 }
      text.append(contentsOf: input[start..<index])
      if index < value.upperBound { reference(isAttribute: true, upTo: value.upperBound) }
    }
    index = end
    addAttribute(attribute)
  }

  /// Adds the given attribute.
  ///
  /// Its value is the text that was appended since the previous attribute or text.
  mutating func addAttribute(_ attribute: Attribute) {
    removed += text.removeInvisible(from: textStart)
    guard text.count < Int(Int32.max) else { return }
    attributes.append(
      NodeTree.Value(
        attribute: attribute, start: Int32(textStart), count: Int32(text.count - textStart)))
    textStart = text.count
  }

  private mutating func attributeName() -> Attribute? {
    var hash = NameHash()
    let start = index
    while index < input.count {
      let byte = input[index]
      if isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") { break }
      if byte == UInt8(ascii: "="), index > start { break }
      hash.add(byte.lowercased)
      index += 1
    }
    if !selectedAttributes.isEmpty, let selected = selectedAttributes[hash.value] {
      return selected
    }
    return Attribute.named(hash.value)
  }

  /// Returns the range of the attribute's value; an empty range if it has no value.
  ///
  /// It is nil if the value's quote is never closed.
  private mutating func attributeValue() -> Range<Int>? {
    skipSpace()
    guard byte(at: index) == UInt8(ascii: "=") else { return index..<index }
    index += 1
    skipSpace()
    let quote = byte(at: index)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = index
      while index < input.count, !isSpace(input[index]), input[index] != UInt8(ascii: ">") {
        index += 1
      }
      return start..<index
    }
    let start = index + 1
    guard !unclosedQuotes.contains(quote), let end = input.firstIndex(of: quote, from: start) else {
      if unclosedQuotes.insert(quote).inserted { deadline.spend(input.count - start) }
      return nil
    }
    index = end + 1
    return start..<end
  }

  private mutating func skipSpace() {
    while index < input.count, isSpace(input[index]) { index += 1 }
  }
}
