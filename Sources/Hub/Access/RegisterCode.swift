import Tokens

/// A code that a person carries from the host to a device: ten characters such as `K7M4Q-2XWPT`.
///
/// The characters are digits of Crockford's base 32 and encode 50 random bits. The first five
/// identify the code, so that a wrong attempt counts only against that code. The store holds these
/// five and a digest of all ten.
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

  /// Parses typed text; returns nil if it cannot be a code.
  ///
  /// Case and separators are ignored. `O` is read as 0, and `I` and `L` as 1.
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
  /// The five characters that identify the code.
  var word: String { String(characters.prefix(Self.wordLength)) }
  /// The digest that is stored instead of the code.
  var digest: [UInt8] { AccessToken.digest(characters) }
}
