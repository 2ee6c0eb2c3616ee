import Core
import Testing

@testable import Keys

struct SecretShapeTests {
  @Test(arguments: [
    "sk-ant-api03-R2D2abcdefghijk", "sk-proj-0123456789abcdef",
    "ghp_16C7e42F292c6912E7710c838347Ae",
    "github_pat_11ABCDEFG0abcdefghij", "AKIAIOSFODNN7EXAMPLE", "xoxb-123456789012-abcdefghijkl",
    "tvly-abcdef0123456789", "AKxW3tbqPz0Lm9vRYd7UhJc2TsNf5GeX",
  ])
  func `a key is found alone, behind an option, in a header and in a URL`(_ key: String) {
    for text in [key, "--key=\(key)", "key=\(key)"] {
      #expect(SecretShape.secrets(in: text) == [key])
    }
    guard !key.hasPrefix("AKx") else { return }
    for text in ["Authorization: Bearer \(key)", "https://a.example/?k=\(key)&b=1", "'\(key)'"] {
      #expect(SecretShape.secrets(in: text) == [key])
    }
  }

  @Test(arguments: [
    "01a2055f-b247-7000-8719-b0c8f4f3f613", "4bf92f3577b34da6a3ce929d0e0e4736",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV", "claude-opus-4-6", "gpt-5-mini", "build@box.example.org:2222",
    "/home/Ann/Documents/AgentOS/2026-11-22-Report-No-1.md",
    "Compare SQLite WAL with the rollback journal",
    "https://docs.example/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit", "sk-learn",
    "npm_config",
    "anthropic", "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
  ])
  func `ids, names, paths, goals and fingerprints are no keys`(_ text: String) {
    #expect(SecretShape.secrets(in: text).isEmpty)
  }

  @Test func `the password of a URL in an argument is known from then on`() {
    SecretShape.register(in: [
      "--hub=http://me:of-this-test@h/", "//me:of-that-test@h", "a:b c:d@e",
    ])
    #expect(Secrets.redacted("of-this-test of-that-test b c:d") == "[redacted] [redacted] b c:d")
  }

  @Test func `a key's name has no long number in it`() {
    #expect(SecretShape.isSecretForName("0123456789abcdef0123456789abcdef"))
    for name in ["anthropic", "my-second-openai-account-2", "ssh-laptop", ""] {
      #expect(!SecretShape.isSecretForName(name))
    }
  }

  @Test(arguments: [
    ("http://u:pw@h/", "pw"), ("http:/u:p:w@h", "p:w"), ("u:pw@h:80", "pw"), ("//u:pw@h/", "pw"),
    ("http://u@h/", nil), ("ws://u@h/", nil),
    ("http://u:pw@h/@x", "pw"), ("http://h:80/@x", nil), ("a:b", nil), ("", nil),
  ])
  func `A URL's password is found`(url: String, password: String?) {
    #expect(ShownURL.password(in: url) == password)
  }
}
