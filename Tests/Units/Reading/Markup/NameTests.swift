import Testing

@testable import Reading

/// The names that are written out beside the cases they belong to.
struct NameTests {
  @Test func `each tag has its own name`() {
    #expect(Reading.Tag.names.count == Reading.Tag.allCases.count)
    for tag in Reading.Tag.allCases.dropFirst(2) {
      let name = Array("\(tag)".utf8)
      #expect(Reading.Tag.names[Int(tag.rawValue)] == name)
      #expect(Reading.Tag.named(NameHash.of(name)) == tag)
    }
  }

  @Test func `each attribute has its own name`() {
    for attribute in Attribute.allCases {
      // `ariaHidden` is written `aria-hidden`.
      let name = "\(attribute)".reduce(into: "") { name, letter in
        name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
      }
      #expect(Attribute.named(NameHash.of(name.utf8)) == (attribute.isSelected ? nil : attribute))
    }
  }

  @Test func `what is in a hash table is found, and nothing else`() {
    var table = HashTable<UInt64>()
    let hashes = (0..<5000).map { UInt64($0) << 51 }
    for hash in hashes { table.set(hash, hash) }
    #expect(table.count == 5000)
    #expect(hashes.map { table[$0] } == hashes)
    #expect((1..<5000).map { table[UInt64($0)] } == [UInt64?](repeating: nil, count: 4999))
    table.set(0, 7)
    #expect(table[0] == 7)
    #expect(table.count == 5000)
  }

  @Test func `the number of a piece is read as it was written`() {
    for index in [0, 1, 31, 32, 1023, 1024, 999_999] {
      var written: [UInt8] = []
      PieceNumber.append(index, to: &written)
      var number = PieceNumber()
      let areDigits = (written + Array(",".utf8)).map { number.add($0) }
      #expect(areDigits == written.map { _ in true } + [false])
      #expect(number.value == index)
    }
  }

  @Test func `what is UTF-8 is what the standard library takes for it`() {
    var random = SystemRandomNumberGenerator()
    let pieces: [[UInt8]] = [
      Array("word ".utf8), Array("größer".utf8), Array("日本語".utf8), Array("🙂".utf8), [0xC0, 0x80],
      [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x99],
    ]
    let texts = (0..<20_000).map { _ in
      (0..<Int.random(in: 0..<6, using: &random)).flatMap { _ in
        // Flaws are rare, so that some texts have none.
        pieces[Int.random(in: 0..<(Bool.random(using: &random) ? 4 : 10), using: &random)]
      }
    }
    let wrong = texts.filter {
      isValidUTF8($0[...]) != (String(validating: $0, as: UTF8.self) != nil)
    }
    #expect(wrong == [])
  }
}
