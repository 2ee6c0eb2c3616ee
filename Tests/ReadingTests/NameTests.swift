import Testing

@testable import Reading

/// The names that are written out beside the cases they belong to.
struct NameTests {
  @Test(arguments: Tag.allCases.dropFirst(2)) func `each tag has its own name`(_ tag: Tag) {
    #expect(Tag.names.count == Tag.allCases.count)
    #expect(String(decoding: Tag.names[Int(tag.rawValue)], as: UTF8.self) == "\(tag)")
    #expect(Tag.named(NameHash.of("\(tag)".utf8)) == tag)
  }

  @Test(arguments: Attribute.allCases) func `each attribute has its own name`(
    _ attribute: Attribute
  ) {
    // `ariaHidden` is written `aria-hidden`.
    let name = "\(attribute)".flatMap { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }
    #expect(Attribute.named(NameHash.of(name.utf8)) == (attribute.isSelected ? nil : attribute))
  }

  @Test func `what hides in a hash table is found, and nothing else`() {
    var table = HashTable<Int>()
    for number in 0..<5000 { table[UInt64(number) &* 0x1_0000_0000] = number }
    #expect(table.count == 5000)
    for number in 0..<5000 { #expect(table[UInt64(number) &* 0x1_0000_0000] == number) }
    #expect(table[1] == nil)
    table[0] = -1
    #expect(table[0] == -1)
    #expect(table.count == 5000)
  }

  @Test func `the number of a piece is read as it was written`() {
    for index in [0, 1, 31, 32, 1023, 1024, 999_999] {
      var written: [UInt8] = []
      PieceNumber.append(index, to: &written)
      var number = PieceNumber()
      for byte in written { #expect(number.add(byte)) }
      let isDigit = number.add(UInt8(ascii: ","))
      #expect(!isDigit)
      #expect(number.value == index)
    }
  }

  @Test func `what is UTF-8 is what the standard library takes for it`() {
    var random = SystemRandomNumberGenerator()
    let pieces: [[UInt8]] = [
      Array("word ".utf8), Array("größer".utf8), Array("日本語".utf8), Array("🙂".utf8), [0xC0, 0x80],
      [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x99],
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<6, using: &random)
      let bytes = (0..<count).flatMap { _ in
        // Flaws are rare, so that some texts have none.
        pieces[Int.random(in: 0..<(Bool.random(using: &random) ? 4 : 10), using: &random)]
      }
      #expect(
        isValidUTF8(bytes[...]) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }
}
