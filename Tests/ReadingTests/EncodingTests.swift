import Core
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
}
