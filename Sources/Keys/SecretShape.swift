import Core

/// The detection of probable secrets in a text, by the formats of known providers.
public enum SecretShape {
  /// The prefixes by which tokens of known issuers are recognized.
  private static let prefixes = [
    "sk-", "sk_", "rk_", "pk_", "ak_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
    "glpat-", "xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xapp-", "AKIA", "ASIA", "AIza", "tvly-",
    "hf_", "gsk_", "xai-", "pplx-", "npm_", "pypi-", "r8_", "eyJ",
    "ap1a_", "ap1b_", "ap1l_", "ap1r_", "ap1o_",
  ].map { Array($0.utf8) }

  /// Registers the probable secrets in the given arguments, so that they do not appear in output.
  public static func register(in arguments: [String]) {
    for argument in arguments {
      for secret in secrets(in: argument) {
        Secrets.register(secret)
        // Host names are printed in lower case.
        Secrets.register(secret.lowercased())
      }
      // A text with spaces is a prompt, in which an apparent URL may be none.
      guard !argument.contains(where: \.isWhitespace) else { continue }
      let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      for password in [argument, value].compactMap(ShownURL.password) { Secrets.register(password) }
    }
  }

  /// Returns the probable secrets in the given argument.
  ///
  /// They are tokens of known issuers anywhere in the argument. The whole argument or an option's
  /// value is included, too, if it looks random.
  static func secrets(in argument: String) -> [String] {
    var found = argument.utf8.split { !isOfToken($0) }.filter(isIssued)
    let value = argument.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1).last
    if let value, found.isEmpty, isRandom(value) { found = [value] }
    return found.map { String(Substring($0)) }
  }

  /// Returns `true` if the given name of a key is probably the key itself.
  ///
  /// Such a name looks like a secret, or is long and has many digits.
  public static func isSecretForName(_ name: String) -> Bool {
    !secrets(in: name).isEmpty || name.utf8.count >= 24 && name.utf8.count(where: \.isDigit) >= 5
  }

  private static func isIssued(_ word: Substring.UTF8View) -> Bool {
    word.count >= 16 && word.contains(where: \.isDigit)
      && prefixes.contains { word.starts(with: $0) }
  }

  /// Returns `true` if the given word mixes all kinds of characters, unlike ids and names.
  private static func isRandom(_ word: Substring.UTF8View) -> Bool {
    word.count >= 24 && word.allSatisfy { isOfToken($0) && $0 != UInt8(ascii: ".") }
      && word.contains(where: \.isCapital) && word.contains { $0.isLetter && !$0.isCapital }
      && word.count(where: \.isDigit) >= 3
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-_.+".utf8.contains(byte)
  }
}
