import Reading
import Testing

struct DocumentKindTests {
  @Test(
    "a body is what its first bytes say, whatever its label",
    arguments: [
      ("%PDF-1.7\n", "text/html", DocumentKind.pdf), ("%PDF-1.4", nil, .pdf),
      ("PK\u{3}\u{4}xx", "text/html", .unsupported("application/zip")),
      ("GIF89a", "text/plain", .unsupported("image/gif")),
      ("\u{0}\u{0}\u{0}\u{18}ftypmp42", "text/html", .unsupported("video/mp4")),
      ("RIFF....WEBPVP8 ", nil, .unsupported("image/webp")),
      ("<!DOCTYPE html><p>x", "text/plain", .html), (" \n<HTML>", nil, .html),
      ("<!-- x --><html>", "application/octet-stream", .html), ("<body>", "text/plain", .html),
      ("<p>x</p>", "text/plain", .text), ("plain", nil, .text), ("", nil, .text),
      ("", "text/html", .html), ("no tags", "text/html", .html),
      ("# x", "text/markdown", .markdown),
      ("<?xml version='1.0'?><rss>", "text/html", .feed), ("<feed xmlns='x'>", nil, .feed),
      ("<!-- x -->\n<urlset>", "text/xml", .feed), ("<sitemapindex>", "application/xml", .feed),
      ("<rdf:RDF>", "application/rdf+xml", .feed), ("<svg>", "application/xml", .text),
      ("<?xml?><html>", "application/xml", .html), ("{\"a\":1}", "application/json", .text),
      ("{\"version\": \"https://jsonfeed.org/version/1\"}", "application/json", .feed),
      ("x", "application/pdf", .unsupported("application/pdf")),
      ("x", "image/png", .unsupported("image/png")),
      ("<svg/>", "image/svg+xml", .unsupported("image/svg+xml")),
      ("a\u{0}b", "text/plain", .unsupported("application/octet-stream")),
      ("<p>a\u{0}b", "text/html", .html), ("x", "application/vnd.api+json", .text),
    ] as [(String, String?, DocumentKind)])
  func kinds(_ body: String, _ type: String?, _ expected: DocumentKind) {
    #expect(DocumentKind.of(Array(body.utf8), type: type) == expected)
  }

  @Test func `bytes that are no text are none, whatever their label`() {
    let noise = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x1F }
    #expect(
      DocumentKind.of(noise, type: "text/html") == .unsupported("application/octet-stream"))
    let wide = "<p>wide text".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(DocumentKind.of(wide, type: "text/html") == .html)
    #expect(DocumentKind.of([0xFF, 0xFE] + wide, type: "text/plain") == .text)
  }
}
