import Core
import TestSupport
import Testing

@testable import OAuth

@Suite("The challenge of a field www-authenticate")
struct BearerChallengeTests {
  @Test("names the metadata, the scopes and the error")
  func parameters() throws {
    let challenge = try #require(
      BearerChallenge(
        #"Bearer error="insufficient_scope", scope="files:write  files:read files:read","#
          + #" resource_metadata="https://mcp.example.com/a,b", error_description="a \"quote\"""#))
    #expect(challenge.error == "insufficient_scope")
    #expect(challenge.scopes?.names == ["files:write", "files:read"])
    #expect(challenge.resourceMetadata == "https://mcp.example.com/a,b")
  }

  @Test(
    "is found beside other schemes",
    arguments: [
      #"Basic realm="a, Bearer scope=x", Bearer scope="read""#,
      #"Negotiate abc==, bearer scope=read"#, #"Negotiate, BEARER realm=x, scope = "read""#,
      #", ,Bearer  scope="read" , Basic scope="write", realm="z""#,
      #"Bearer scope="read", scope="write""#, "Bearer scope=\"read\\ \"",
    ])
  func beside(_ field: String) throws {
    #expect(try #require(BearerChallenge(field)).scopes?.names == ["read"])
  }

  @Test(
    "is absent without the scheme",
    arguments: ["", "Basic realm=x", "scope=read", #"Basic realm="Bearer scope=x""#, "Bearerx a=b"])
  func absent(_ field: String) { #expect(BearerChallenge(field) == nil) }

  @Test("without parameters names nothing")
  func bare() throws {
    let challenge = try #require(BearerChallenge("Bearer"))
    #expect(challenge.scopes == nil && challenge.error == nil && challenge.resourceMetadata == nil)
    #expect(BearerChallenge("Bearer abc==")?.scopes == nil)
  }

  @Test("is bounded in scopes")
  func bounded() throws {
    let many = (0..<1000).map { "s\($0)" }.joined(separator: " ")
    #expect(BearerChallenge("Bearer scope=\"\(many)\"")?.scopes?.names.count == Scopes.limit)
    let long = String(repeating: "x", count: 1 << 20)
    #expect(BearerChallenge("Bearer scope=\"\(long)\"")?.scopes?.isEmpty == true)
  }

  @Test("random bytes never stop the reader")
  func random() {
    var random = SeededRandom(seed: 29)
    let parts = ["Bearer", "scope", "=", "\"", "\\", ",", " ", "error", "é", "\u{0}", "a"]
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<24, using: &random)
      let text = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
        .joined()
      let challenge = BearerChallenge(text)
      #expect(challenge.map { ($0.scopes?.names.count ?? 0) <= Scopes.limit } ?? true)
    }
    for _ in 0..<2000 {
      let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = BearerChallenge("Bearer " + String(decoding: bytes, as: UTF8.self))
    }
  }
}
