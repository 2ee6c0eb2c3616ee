import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("image-make")
struct ImageMakeTests {
  private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
    .base64EncodedString()
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

  fileprivate static func json(_ text: String, _ status: String = "200 OK") -> Reply {
    Reply(
      "HTTP/1.1 \(status)\nContent-Type: application/json\nContent-Length: \(text.utf8.count)\n\n",
      body: Array(text.utf8))
  }

  /// A server that answers each request for pictures with the next of some answers, and those for
  /// files with a picture.
  private static func server(_ scratch: Scratch, _ answers: Reply...) throws -> LoopbackServer {
    let counter = Counter()
    let server = try LoopbackServer { request in
      if request.hasPrefix("GET /file ") {
        return Reply("HTTP/1.1 200 OK\nContent-Length: 4\n\n", body: jpeg)
      }
      if request.hasPrefix("GET ") { return Reply("HTTP/1.1 404 No\nContent-Length: 0\n\n") }
      let host = request.split(whereSeparator: \.isNewline).first { $0.hasPrefix("Host: ") }
      let reply = answers[min(counter.next(), answers.count - 1)]
      return reply.naming(String(host?.dropFirst("Host: ".count) ?? ""))
    }
    scratch.set("OPENAI_BASE_URL", server.url("/v1"))
    scratch.set("OPENAI_API_KEY", scratch.secret)
    return server
  }

  @Test func `pictures become files of their own, and none takes the place of another`()
    async throws
  {
    try await Scratch.with { scratch in
      let one = #"{"created":1,"data":[{"b64_json":"\#(Self.png)"}]}"#
      let two = #"{"created":1,"data":[{"b64_json":"\#(Self.png)"},{"b64_json":"\#(Self.png)"}]}"#
      let server = try Self.server(scratch, Self.json(one), Self.json(one), Self.json(two))
      try await scratch.shell("image-make 'A cat, in “fog”/../x' --into pictures")
      try await scratch.shell(
        "image-make - --size 1024x1024 --quality high --into pictures/", input: "A cat, in fog: x\n"
      )
      try await scratch.shell("image-make '../..' --model openai/gpt-image-2 --count 2 --text")
      try await scratch.shell("find . -type f | sort; cmp pictures/*-1.png image-1.png")
      try scratch.expectGolden("image-make/files")
      let bodies = server.requests.map { $0.components(separatedBy: "\r\n\r\n").last ?? "" }
      #expect(
        bodies == [
          #"{"model":"gpt-image-2.6-flare","n":1,"prompt":"A cat, in “fog”/../x"}"#,
          #"{"model":"gpt-image-2.6-flare","n":1,"prompt":"A cat, in fog: x","quality":"high","size":"1024x1024"}"#,
          #"{"model":"gpt-image-2","n":2,"prompt":"../.."}"#,
        ])
      #expect(server.requests[0].contains("authorization: Bearer \(scratch.secret)\r\n"))
      #expect(server.requests[0].hasPrefix("POST /v1/images/generations HTTP/1.1\r\n"))
    }
  }

  @Test func `each picture that did not come is an error in its place`() async throws {
    try await Scratch.with { scratch in
      let rows = [
        #"{"url":"http://HOST/file"}"#, #"{"url":"http://HOST/gone"}"#,
        #"{"url":"file:///etc/passwd"}"#, #"{"b64_json":"PGh0bWw+"}"#, #"{"b64_json":"_"}"#, "{}",
      ]
      let server = try Self.server(
        scratch, Self.json(#"{"data":[\#(rows.joined(separator: ","))]}"#))
      try await scratch.shell(
        "image-make fog --count 7 --connect-timeout 60s --idle-timeout 120s --total-timeout 240s")
      try scratch.expectGolden("image-make/failures")
      let fetched = server.requests.filter { $0.hasPrefix("GET ") }
      #expect(server.requests.count == 3)
      #expect(fetched.count == 2 && !fetched.joined().contains("authorization"))
    }
  }

  @Test func `an answer leads to no address that is not public but its own server's`()
    async throws
  {
    try await Scratch.with { scratch in
      let other = try Self.server(scratch, Self.json("{}"))
      let places = [
        other.url("/file"), "http://169.254.169.254/latest", "http://[::ffff:127.0.0.1]:8080/",
      ]
      let rows = places.map { #"{"url":"\#($0)"}"# }.joined(separator: ",")
      let server = try Self.server(scratch, Self.json(#"{"data":[\#(rows)]}"#))
      let run = try await scratch.shell("image-make fog --count 3")
      #expect(run.records("error").count == 3 && run.records("file").isEmpty)
      #expect(run.records("error").allSatisfy { $0["kind"] == "blockedAddress" })
      #expect(run.statuses == [69])
      #expect(server.requests.count == 1 && other.requests.isEmpty)
    }
  }

  @Test func `refusals, limits and missing keys have their codes`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("image-make fog")
      let server = try Self.server(
        scratch,
        Self.json(
          #"{"error":{"code":"content_policy_violation","message":"No.","type":"image_generation_user_error"}}"#,
          "400 Bad"),
        Self.json(#"{"error":{"code":"rate_limit_exceeded","type":"requests"}}"#, "429 Slow"),
        Self.json(#"{"error":{"type":"insufficient_quota"}}"#, "429 Slow"),
        Self.json(#"{"error":{"code":"invalid_size","message":"No such size."}}"#, "400 Bad"),
        Self.json("<html>"), Self.json(#"{"data":[]}"#))
      for _ in 0..<6 { try await scratch.shell("image-make fog --retries 0") }
      #expect(server.requests.count == 6)
      try await scratch.shell("image-make fog --model claude-sonnet-4-6")
      try await scratch.shell("image-make fog --quality hd")
      try await scratch.shell("image-make fog --count 11")
      try await scratch.shell("image-make -", input: " \n")
      try await scratch.shell("find . -type f")
      try scratch.expectGolden("image-make/codes")
    }
  }

  @Test func `Azure is asked by the name of its deployment`() async throws {
    try await Scratch.with { scratch in
      let one = #"{"data":[{"b64_json":"\#(Self.png)"}]}"#
      let server = try Self.server(scratch, Self.json(one))
      scratch.set("AZURE_OPENAI_ENDPOINT", server.url(""))
      scratch.set("AZURE_OPENAI_API_KEY", scratch.secret)
      let options = "--connect-timeout 99 --idle-timeout 99 --total-timeout 99"
      try await scratch.shell("image-make fog --model azure/my-images \(options)")
      scratch.set("OPENAI_API_VERSION", "2025-04-01-preview")
      scratch.set("AGENTPIPES_IMAGE_MODEL", "azure/my images")
      try await scratch.shell("image-make fog")
      #expect(scratch.runs.map(\.statuses) == [[0], [0]])
      #expect(
        server.requests.map { $0.split(separator: " ")[1] } == [
          "/openai/v1/images/generations",
          "/openai/deployments/my%20images/images/generations?api-version=2025-04-01-preview",
        ])
      #expect(server.requests.allSatisfy { $0.contains("api-key: \(scratch.secret)\r\n") })
    }
  }

  @Test func `help and version are told`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("image-make --help")
      try await scratch.shell("image-make --version")
      try scratch.expectGolden("image-make/help")
    }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

extension Reply {
  /// The answer with `HOST` in its body replaced by where it was asked for.
  fileprivate func naming(_ host: String) -> Reply {
    let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
    guard parts.count == 2, parts[1].contains("HOST") else { return self }
    return ImageMakeTests.json(parts[1].replacing("HOST", with: host))
  }
}
