import Core

/// Finds what looks like a secret in a text, by the forms in which providers hand out theirs.
public enum SecretShape {
  /// What tokens of known issuers begin with.
  private static let prefixes = [
    "sk-", "sk_", "rk_", "pk_", "ak_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
    "glpat-", "xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xapp-", "AKIA", "ASIA", "AIza", "tvly-",
    "hf_", "gsk_", "xai-", "pplx-", "npm_", "pypi-", "r8_", "eyJ",
    "ap1a_", "ap1r_", "ap1o_",
  ].map { Array($0.utf8) }

  /// Sees to it that nothing in these arguments that looks like a secret leaves the process.
  public static func register(in arguments: [String]) {
    for argument in arguments {
      for secret in secrets(in: argument) {
        Secrets.register(secret)
        // The names of hosts are told without capitals.
        Secrets.register(secret.lowercased())
      }
      // A text with spaces is a prompt: what looks like a URL in it may be none.
      guard !argument.contains(where: \.isWhitespace) else { continue }
      let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      for password in [argument, value].compactMap(ShownURL.password) { Secrets.register(password) }
    }
  }

  /// What of an argument looks like a secret: tokens of known issuers wherever they stand in it, and
  /// all of it, or of an option's value, where that is made as tokens are.
  static func secrets(in argument: String) -> [String] {
    var found = argument.utf8.split { !isOfToken($0) }.filter(isIssued)
    let value = argument.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1).last
    if let value, found.isEmpty, isRandom(value) { found = [value] }
    return found.map { String(Substring($0)) }
  }

  /// Whether what stands in the place of a key's name is rather the key: of names not even long
  /// numbers in hexadecimal are any.
  public static func isSecretForName(_ name: String) -> Bool {
    !secrets(in: name).isEmpty || name.utf8.count >= 24 && name.utf8.count(where: \.isDigit) >= 5
  }

  private static func isIssued(_ word: Substring.UTF8View) -> Bool {
    word.count >= 16 && word.contains(where: \.isDigit)
      && prefixes.contains { word.starts(with: $0) }
  }

  /// Whether a word has all kinds of characters, as neither ids nor names have.
  private static func isRandom(_ word: Substring.UTF8View) -> Bool {
    word.count >= 24 && word.allSatisfy { isOfToken($0) && $0 != UInt8(ascii: ".") }
      && word.contains(where: \.isCapital) && word.contains { $0.isLetter && !$0.isCapital }
      && word.count(where: \.isDigit) >= 3
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-_.+".utf8.contains(byte)
  }
}
