import Foundation
import TestSupport
import Testing

@testable import HTTP

struct GzipEndTests {
  private func end(_ fields: [HTTPField]) -> GzipEnd? {
    GzipEnd(HTTPHead(status: 200, fields: fields))
  }

  private func isCut(_ bytes: [UInt8], decoded: Int, pieces: Int, chunked: Bool) -> Bool? {
    var fields = [HTTPField("Content-Encoding", "GZIP")]
    if chunked { fields.append(HTTPField("Transfer-Encoding", "chunked")) }
    guard var end = end(fields) else { return nil }
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      bytes[start..<min(start + pieces, bytes.count)].withUnsafeBufferPointer { end.receive($0) }
    }
    return end.isCut(afterDecoding: decoded)
  }

  private func chunks(_ bytes: [UInt8], of size: Int) -> [UInt8] {
    let framed = stride(from: 0, to: bytes.count, by: size).flatMap { start -> [UInt8] in
      let piece = bytes[start..<min(start + size, bytes.count)]
      let line = String(piece.count, radix: 16) + (start % 2 == 0 ? ";x=y\r\n" : "\r\n")
      return Array(line.utf8) + piece + [0x0D, 0x0A]
    }
    return framed + Array("0\r\nX-Trailer: 1234567890\r\n\r\n".utf8)
  }

  @Test(arguments: [1, 3, 8, 1000])
  func `a whole stream ends with its length, however it comes`(pieces: Int) {
    let body = gzipOfZeros(1033)
    #expect(isCut(body, decoded: 1033, pieces: pieces, chunked: false) == false)
    for size in [1, 3, 500] {
      #expect(isCut(chunks(body, of: size), decoded: 1033, pieces: pieces, chunked: true) == false)
    }
  }

  @Test func `one that ends early does not`() {
    let body = gzipOfZeros(1033)
    for count in 1..<body.count {
      let cut = Array(body.prefix(count))
      #expect(isCut(cut, decoded: 1000, pieces: 7, chunked: false) == true)
      #expect(isCut(chunks(cut, of: 5), decoded: 1000, pieces: 7, chunked: true) == true)
    }
  }

  @Test func `a body of no bytes is whole, and other encodings are not watched`() {
    #expect(isCut([], decoded: 0, pieces: 1, chunked: false) == false)
    #expect(end([]) == nil)
    #expect(end([HTTPField("Content-Encoding", "br")]) == nil)
    #expect(end([HTTPField("Content-Encoding", "gzip, gzip")]) == nil)
  }

  @Test func `a request that asks for it is told`() async throws {
    let body = Array(gzipOfZeros(258 * 4 + 1).dropLast(9))
    let server = try LoopbackServer { _ in
      Reply(
        "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(body.count)\n\n", body: body)
    }
    var request = HTTPRequest(url: server.url())
    _ = try await HTTPClient().collect(request)
    request.noticesCutEncoding = true
    let failure = await #expect(throws: (any Error).self) {
      try await HTTPClient().collect(request)
    }
    #expect("\(failure.debugDescription)".contains("ends early"))
  }

  @Test(
    "hosts are written as they go over the network",
    arguments: [
      ("EXAMPLE.org", "example.org"), ("münchen.example", "xn--mnchen-3ya.example"),
      ("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("[::1]", "[::1]"),
      ("%65xample.org", "example.org"), ("a b", nil), ("", nil), ("①②⑦.⓪.⓪.①", "127.0.0.1"),
    ] as [(String, String?)])
  func host(_ host: String, _ expected: String?) {
    #expect(HostName.ascii(host) == expected)
  }

  @Test func `numeric hosts have their own address`() async throws {
    let found = try await HostAddresses.find("[::1]", port: 8)
    #expect(found.map(\.description) == ["[::1]:8"])
  }
}
