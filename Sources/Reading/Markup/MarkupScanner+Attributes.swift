extension MarkupScanner {
  /// Reads the attributes of a start tag up to its end, and writes those that matter.
  ///
  /// Past ``ReadLimits/attributes`` and ``ReadLimits/tagBytes`` they are read but not written.
  mutating func attributes() {
    var seen: UInt64 = 0
    var count = 0
    let start = output.count
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
      guard let value = attributeValue() else { return cutTag() }
      guard let attribute, count <= limits.attributes else { continue }
      let bit: UInt64 = 1 << UInt64(attribute.rawValue)
      guard seen & bit == 0, output.count - start + value.count <= limits.tagBytes else { continue }
      seen |= bit
      write(attribute, value)
    }
  }

  private mutating func write(_ attribute: Attribute, _ value: Range<Int>) {
    output.append(UInt8(ascii: " "))
    output.append(contentsOf: Attribute.names[Int(attribute.rawValue)])
    output.append(contentsOf: "=\"".utf8)
    let end = index
    index = value.lowerBound
    while index < value.upperBound {
      switch input[index] {
      case UInt8(ascii: "&"): reference(isAttribute: true, upTo: value.upperBound)
      case UInt8(ascii: "\""):
        output.append(contentsOf: "&quot;".utf8)
        index += 1
      case let byte where byte < 0x20 && !isSpace(byte):
        removed += 1
        index += 1
      default:
        output.append(input[index])
        index += 1
      }
    }
    index = end
    output.append(UInt8(ascii: "\""))
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
    if let selected = selectedAttributes[hash.value] { return selected }
    return Attribute.named(hash.value).flatMap { $0.isSelected ? nil : $0 }
  }

  /// Where the value is, empty when there is none; nil when its quote is never closed.
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
    guard !unclosedQuotes.contains(quote), let end = input[start...].firstIndex(of: quote) else {
      unclosedQuotes.insert(quote)
      return nil
    }
    index = end + 1
    return start..<end
  }

  /// Ends a tag whose quote is never closed at the next `>`, so that the rest is not lost.
  private mutating func cutTag() {
    index = input[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? input.count
  }

  private mutating func skipSpace() {
    while index < input.count, isSpace(input[index]) { index += 1 }
  }
}
