/// The names that a record's file may have, best first.
///
/// The plain one; the plain one with the start of the hash of the record's id; with the whole hash;
/// and with numbers, for when a person has changed the record's file under each name before.
struct FileNames: Sequence {
  let stem: String
  let hash: String
  let suffix: String

  private static let hashed = 3
  private static let all = 100

  /// The best name.
  var first: String { name(0) }

  /// Whether a name is looked at, once those before it were.
  ///
  /// The record may be under any of the first; numbers are for when it has no place there.
  func matters(_ index: Int, _ choices: Choices) -> Bool {
    !choices.isSettled && (index < Self.hashed || !choices.hasPlace)
  }

  func makeIterator() -> some IteratorProtocol<String> {
    (0..<Self.all).lazy.map(name).makeIterator()
  }

  private func name(_ index: Int) -> String {
    let short = String(hash.prefix(8))
    let tail =
      switch index {
      case 0: ""
      case 1: short
      case 2: hash
      default: "\(short)-\(index - 1)"
      }
    return FileName.whole(stem, hash: tail, extension: suffix)
  }
}
