/// The names that a record's file may have, best first.
///
/// The plain one; the plain one with the start of the hash of the record's id; with the whole hash;
/// and with numbers, for when a person has changed the record's file under each name before.
struct FileNames: Sequence {
  let stem: String
  let hash: String
  let suffix: String

  /// How many names there are without a number.
  static let unnumbered = 3
  private static let all = 100

  /// The best name.
  var first: String { name(0) }

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
