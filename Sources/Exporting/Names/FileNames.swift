/// The possible names of a record's file, the best first.
///
/// They are the plain name, the name with the start of the hash of the record's id, the name with
/// the whole hash, and numbered names, which are used if a person has changed the files with the
/// other names.
struct FileNames: Sequence {
  let stem: String
  let hash: String
  let suffix: String

  /// The number of possible names without a number.
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
