/// The names that a record's file may have.
///
/// The best name is first. The first is the plain name. The start of the hash of the record's id,
/// and then the whole hash, is added in the next two. Numbered names follow. They are used if a
/// person has changed the files that have the other names.
struct FileNames: Sequence {
  let stem: String
  let hash: String
  let suffix: String

  /// The number of possible names that have no number.
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
