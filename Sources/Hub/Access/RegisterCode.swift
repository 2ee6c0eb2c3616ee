import Tokens

/// A code that a person carries from the host to a device: ten characters such as `K7M4Q-2XWPT`.
///
/// The characters are digits of Crockford's base 32 and encode 50 random bits. The first five name
/// the code, so that wrong tries count against that code only. The store holds these five and a
/// digest of all ten.
struct RegisterCode: Hashable {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let wordLength = 5

  /// The characters, without the hyphen.
  private let characters: String

  /// Creates a random code.
  init() {
    var generator = SystemRandomNumberGenerator()
    characters = String(
      (0..<Self.wordLength * 2).map { _ in
        Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)]
      })
  }

  /// Parses typed text, ignoring case and separators, and reading `O` as 0 and `I` and `L` as 1;
  /// returns nil for text that cannot be a code.
  init?(_ typed: String) {
    let read: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
    guard typed.utf8.count <= 64 else { return nil }
    let characters = typed.uppercased().filter { $0 != "-" && $0 != " " }.map { read[$0] ?? $0 }
    guard characters.count == Self.wordLength * 2, characters.allSatisfy(Self.alphabet.contains)
    else { return nil }
    self.characters = String(characters)
  }

  /// The code as it is shown to a person.
  var shown: String { word + "-" + characters.dropFirst(Self.wordLength) }
  /// The five characters that name the code.
  var word: String { String(characters.prefix(Self.wordLength)) }
  /// The digest that the store holds.
  var digest: [UInt8] { AccessToken.digest(characters) }
}
