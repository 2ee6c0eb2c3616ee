import Core
import Keys
import Testing
import Tokens

struct AccessTokenTests {
  @Test(arguments: AccessToken.allCases)
  func `a token is known by its form, and no two are equal`(kind: AccessToken) {
    let token = kind.make()
    #expect(AccessToken.kind(token) == kind)
    #expect(token != kind.make())
  }

  @Test(arguments: AccessToken.allCases)
  func `a token among arguments is taken for a secret, whatever chance made of it`(
    kind: AccessToken
  ) {
    for letter in ["A", "z", "-", "_"] {
      let token = kind.rawValue + String(repeating: letter, count: 43)
      SecretShape.register(in: ["--header", "authorization: bearer \(token)"])
      #expect(!Secrets.redacted("it is \(token).").contains(token))
    }
  }

  @Test func `a token that was made is masked`() {
    let token = AccessToken.refresh.make()
    #expect(!Secrets.redacted("\"\(token)\"").contains(token.dropFirst(10)))
  }

  @Test(arguments: [
    "", "ap1a_", "ap1z_" + String(repeating: "A", count: 43),
    "ap1a_" + String(repeating: "A", count: 42), "ap1a_" + String(repeating: "A", count: 44),
    "ap1a_" + String(repeating: "=", count: 43), "AP1A_" + String(repeating: "A", count: 43),
  ])
  func `another text is no token`(text: String) {
    #expect(AccessToken.kind(text) == nil)
  }

  @Test(arguments: [
    ("Bearer abc", "abc"), ("bearer   abc ", "abc"), ("BEARER abc", "abc"), ("Bearer", nil),
    ("Bearer%20abc", "abc"), ("Bearer%20", nil),
    ("Bearer ", nil), ("Basic abc", nil), ("", nil), ("abc", nil), ("Bearerabc", nil),
  ])
  func `a bearer is found in its field`(field: String, token: String?) {
    #expect(AccessToken.bearer(field) == token)
  }
}
