import Core
import Foundation
import Reading
import Testing

struct EncodingTests {
  private func read(_ bytes: [UInt8], contentType: String? = nil) throws -> ReadPage {
    try Reader.read(html: bytes, options: ReadOptions(contentType: contentType))
  }

  private let russian: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]

  @Test func `a header names the encoding`() throws {
    let page = try read(russian, contentType: "text/html; charset=\"Windows-1251\"")
    #expect(page.text == "Привет")
    #expect(page.charset == "windows-1251")
  }

  @Test(
    "a meta element names the encoding",
    arguments: [
      "<meta charset=cp1251>", "<!-- <meta charset=utf-8> --><META CharSet = 'windows-1251'/>",
      "<meta content='text/html; charset=windows-1251' http-equiv=Content-Type>",
    ])
  func meta(_ head: String) throws {
    let page = try read(Array(head.utf8) + russian)
    #expect(page.text == "Привет")
    #expect(page.charset == "windows-1251")
  }

  @Test func `a byte order mark outranks the header`() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("é".utf8)
    #expect(try read(bytes, contentType: "text/html; charset=latin1").text == "é")
  }

  @Test func `UTF-16 is read in both byte orders`() throws {
    let units = Array("<p>é".utf16)
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try read([0xFE, 0xFF] + big).text == "é")
    #expect(try read([0xFF, 0xFE] + little).charset == "utf-16le")
    #expect(try read(little, contentType: "text/html;charset=utf-16").text == "é")
  }

  @Test func `a meta that says UTF-16 means UTF-8`() throws {
    #expect(try read(Array("<meta charset=utf-16>é".utf8)).text == "é")
  }

  @Test func `without a word valid UTF-8 is UTF-8 and all else windows-1252`() throws {
    #expect(try read(Array("é".utf8)).charset == "utf-8")
    let page = try read([0x93, 0xE9, 0x94, 0x80])
    #expect(page.text == "“é”€")
    #expect(page.charset == "windows-1252")
  }

  @Test func `latin1 means windows-1252`() throws {
    #expect(try read([0x80], contentType: "text/html; charset=iso-8859-1").text == "€")
  }

  @Test func `broken bytes become replacement characters`() throws {
    let page = try read(
      [0x61, 0xFF, 0x62, 0xED, 0xA0, 0x80], contentType: "text/html;charset=utf8")
    #expect(page.text.hasPrefix("a\u{FFFD}b\u{FFFD}"))
    let japanese = try read(
      [0x93, 0xFA, 0x96, 0x7B, 0xFF, 0x61], contentType: "text/html; charset=shift_jis")
    #expect(japanese.text == "日本\u{FFFD}a")
  }

  private static let samples: [(label: String, iconv: String, text: String)] = [
    ("windows-1251", "CP1251", "Быстрая коричневая лиса прыгает через ленивую собаку."),
    ("koi8-r", "KOI8-R", "Быстрая коричневая лиса прыгает через ленивую собаку."),
    ("ibm866", "IBM866", "Быстрая коричневая лиса прыгает через ленивую собаку."),
    ("shift_jis", "CP932", "素早い茶色の狐が、のろまな犬を飛び越えます。テストです。"),
    ("euc-jp", "EUC-JP", "素早い茶色の狐が、のろまな犬を飛び越えます。テストです。"),
    ("gb18030", "GB18030", "我们在这个地方看到了很多人，他们都说自己是中国人。"),
    ("big5", "BIG5", "我們在這個地方看到了很多人，他們都說自己是學生。"),
    ("euc-kr", "CP949", "빠른 갈색 여우가 게으른 개를 뛰어넘습니다. 이것은 시험입니다."),
    ("windows-1250", "CP1250", "Zażółć gęślą jaźń, a później wróć prędko do źródła i śpij."),
    ("windows-1253", "CP1253", "Η γρήγορη καφέ αλεπού πηδάει πάνω από τον τεμπέλη σκύλο."),
    (
      "windows-1254", "CP1254",
      "Hızlı kahverengi tilki tembel köpeğin üstünden atlıyor, değil mi? Işık güçlü."
    ),
    ("windows-1255", "CP1255", "השועל החום המהיר קופץ מעל הכלב העצלן."),
    ("windows-1256", "CP1256", "الثعلب البني السريع يقفز فوق الكلب الكسول."),
    ("windows-874", "CP874", "สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจ"),
    (
      "windows-1252", "CP1252",
      "Le renard brun, agile et rusé, a sauté par-dessus le chien fatigué à Noël."
    ),
    (
      "windows-1252", "CP1252",
      "Größe, Übung und Maß: der schnelle Fuchs läuft über den müden Hund."
    ),
    ("windows-1252", "CP1252", "El zorro marrón saltó rápidamente; ¿qué hará mañana el niño?"),
    ("windows-1252", "CP1252", "Den snabba räven hoppar över den lata hunden på ön."),
  ]

  @Test("what says nothing of its encoding is read by what it looks like", arguments: samples)
  func guess(_ label: String, _ iconv: String, _ text: String) throws {
    let page = try read(Array("<p>".utf8) + encode(text, iconv) + Array("</p>".utf8))
    #expect(page.charset == label)
    #expect(page.text == text)
  }

  /// Text in an encoding, by iconv(3).
  private func encode(_ text: String, _ encoding: String) throws -> [UInt8] {
    let descriptor = iconv_open(encoding, "UTF-8")
    defer { iconv_close(descriptor) }
    var input = Array(text.utf8).map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: 4 * input.count)
    let written = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        var (next, left) = (source.baseAddress, source.count)
        var (end, room) = (target.baseAddress, target.count)
        return iconv(descriptor, &next, &left, &end, &room) == -1 ? -1 : target.count - room
      }
    }
    return try #require(written >= 0 ? output.prefix(written).map { UInt8(bitPattern: $0) } : nil)
  }

  @Test func `a word or two of other letters are not enough to guess by`() throws {
    for bytes in [[0x61, 0xE9, 0x62], [0xB3], [0xC5, 0x6C]] as [[UInt8]] {
      #expect(try read(bytes).charset == "windows-1252")
    }
  }

  @Test func `labels lie, and the text is valid all the same`() throws {
    let asUTF8 = try read(russian, contentType: "text/html; charset=utf-8")
    #expect(asUTF8.charset == "utf-8")
    #expect(asUTF8.text.contains("\u{FFFD}"))
    #expect(
      try read(russian, contentType: "text/html; charset=no-such-thing").charset == "windows-1251")
    let overlong = try read([0xC0, 0xAF, 0xE0, 0x80, 0xAF], contentType: "text/html;charset=utf-8")
    #expect(overlong.text.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
    let bom = try read(
      [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x61], contentType: "text/html;charset=utf-8")
    #expect(bom.charset == "utf-16be")
    #expect(bom.text == "\u{FFFD}a")
  }

  @Test func `an XML declaration names the encoding, and UTF-16 needs no mark`() throws {
    let declaration = Array("<?xml version='1.0' encoding='windows-1251'?><p>".utf8)
    #expect(try read(declaration + russian).text == "Привет")
    let wide = "<p>é".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try read(wide).text == "é")
    #expect(try read(wide).charset == "utf-16le")
  }

  @Test func `UTF-8 that is cut within a character is UTF-8`() throws {
    let bytes = Array(String(repeating: "é ", count: 60).utf8) + [0xE2, 0x82]
    #expect(try read(bytes).charset == "utf-8")
  }
}
