import Core
import TestSupport
import Testing

@testable import HTTP

@Suite struct ResponseHeadReaderTests {
  private func read(_ text: String) throws(Failure) -> HTTPHead? {
    var reader = ResponseHeadReader()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let bytes = Array("\(line)\r\n".utf8)
      let result = bytes.withUnsafeBufferPointer { bytes in
        Result { () throws(Failure) in try reader.read(bytes) }
      }
      if let head = try result.get() { return head }
    }
    return nil
  }

  @Test func `Fields keep their order, and folded lines are joined`() throws {
    let head = try read("HTTP/1.1 200 OK\nA: 1\nb:2  \nA:\t3\n  4\n\n")
    #expect(head?.status == 200)
    #expect(head?.values("a") == ["1", "3 4"])
    #expect(head?.value("B") == "2")
  }

  @Test func `A field that looks like a status line is a field`() throws {
    let head = try read("HTTP/1.1 200 OK\nHTTP/1.1 404 No: x\n\n")
    #expect(head == HTTPHead(status: 200, fields: [HTTPField("HTTP/1.1 404 No", "x")]))
  }

  @Test func `Interim heads are skipped`() throws {
    let head = try read("HTTP/1.1 103 Early\nLink: x\n\nHTTP/2 204 \nA: 1\n\n")
    #expect(head == HTTPHead(status: 204, fields: [HTTPField("A", "1")]))
  }

  @Test(arguments: ["101 Switching Protocols", "000 None", "099 Less"])
  func `A status that can be nobody's answer is malformed`(status: String) {
    let failure = #expect(throws: Failure.self) { try read("HTTP/1.1 \(status)\nA: b\n\n") }
    #expect(failure?.code == .invalidResponse)
    #expect(failure?.kind == "protocol")
  }

  @Test func `Interim heads without end are malformed`() {
    let failure = #expect(throws: Failure.self) {
      try read(String(repeating: "HTTP/1.1 100 Continue\n\n", count: 1000))
    }
    #expect(failure?.kind == "protocol")
  }

  @Test func `Two lengths are malformed, one length twice is not`() throws {
    #expect(throws: Failure.self) {
      try read("HTTP/1.1 200 OK\nContent-Length: 1\ncontent-length: 2\n\n")
    }
    #expect(try read("HTTP/1.1 200 OK\nContent-Length: 1\ncontent-length: 1\n\n") != nil)
  }

  @Test func `Random lines never trap`() {
    var random = SeededRandom(seed: 3)
    let alphabet = Array("HTTP/1.1 200:\t\r\n \0é".utf8) + [0xFF]
    for _ in 0..<500 {
      var reader = ResponseHeadReader()
      for _ in 0..<10 {
        let count = Int.random(in: 0..<20, using: &random)
        let line = (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
        let head = line.withUnsafeBufferPointer { try? reader.read($0) }
        #expect(head.map { (200...999).contains($0.status) } ?? true)
      }
    }
  }
}
