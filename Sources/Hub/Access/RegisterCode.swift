import Tokens

/// A code that a person carries from the host to a device: ten characters, `K7M4Q-2XWPT`.
///
/// They are those of Crockford's base 32, which leaves out the letters that look like others: 50
/// random bits. The first five name the code, so that wrong tries count against one code and no
/// other; the store holds them and the digest of all ten.
struct RegisterCode: Hashable {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let wordLength = 5

  /// The characters, without the mark between the groups.
  private let characters: String

  /// A new code.
  init() {
    var generator = SystemRandomNumberGenerator()
    characters = String(
      (0..<Self.wordLength * 2).map { _ in
        Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)]
      })
  }

  /// Reads what somebody typed: in any case, with or without marks between, `O` as 0, `I` and `L` as
  /// 1, as Crockford has it; nil for what cannot be a code.
  init?(_ typed: String) {
    let read: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
    guard typed.utf8.count <= 64 else { return nil }
    let characters = typed.uppercased().filter { $0 != "-" && $0 != " " }.map { read[$0] ?? $0 }
    guard characters.count == Self.wordLength * 2, characters.allSatisfy(Self.alphabet.contains)
    else { return nil }
    self.characters = String(characters)
  }

  /// As it is shown.
  var shown: String { word + "-" + characters.dropFirst(Self.wordLength) }
  /// What names it.
  var word: String { String(characters.prefix(Self.wordLength)) }
  /// What is kept of it.
  var digest: [UInt8] { AccessToken.digest(characters) }
}
