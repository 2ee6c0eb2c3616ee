/// The hints about an element's content that its names give.
///
/// Names are the values of `class`, `id`, `itemprop` and `rel`.
struct ElementClues: OptionSet {
  let rawValue: UInt16

  static let author = ElementClues(rawValue: 1)
  static let byline = ElementClues(rawValue: 1 << 1)
  /// The element names the author of a post in a forum.
  static let user = ElementClues(rawValue: 1 << 2)
  static let date = ElementClues(rawValue: 1 << 3)
  static let published = ElementClues(rawValue: 1 << 4)
  static let modified = ElementClues(rawValue: 1 << 5)
  /// The element has comments, related texts, menus or other parts around the content.
  static let aside = ElementClues(rawValue: 1 << 6)
  /// The element is a portrait, a biography or a control beside an author's name.
  static let besideName = ElementClues(rawValue: 1 << 7)
  /// The element is inside an `<aside>`.
  static let note = ElementClues(rawValue: 1 << 8)

  /// The beginnings of words in names, with the hints that they give.
  private static let list: [(word: StaticString, clue: ElementClues)] = [
    ("author", .author), ("writer", .author), ("contributor", .author), ("creator", .author),
    ("byline", .byline), ("by-line", .byline), ("postedby", .byline), ("by-author", .byline),
    ("username", .user), ("bigusername", .user), ("poster", .user), ("nickname", .user),
    ("date", .date), ("time", .date), ("timestamp", .date), ("posted", .date),
    ("publish", .published), ("pubdate", .published), ("publication", .published),
    ("published", .published), ("created", .published),
    ("modified", .modified), ("updated", .modified), ("update", .modified),
    ("comment", .aside), ("related", .aside), ("recommend", .aside), ("sidebar", .aside),
    ("popular", .aside), ("trending", .aside), ("newsletter", .aside), ("widget", .aside),
    ("menu", .aside), ("footer", .aside), ("navbar", .aside), ("navigation", .aside),
    ("cookie", .aside), ("recent", .aside), ("latest", .aside), ("carousel", .aside),
    ("teaser", .aside),
    ("bio", .besideName), ("avatar", .besideName), ("image", .besideName),
    ("img", .besideName), ("photo", .besideName), ("social", .besideName),
    ("description", .besideName), ("box", .besideName), ("share", .besideName),
  ]

  /// The entries of ``list`` by their first letter, from `a` to `z`.
  private static let words: [[(word: StaticString, clue: ElementClues)]] = (0..<26).map { letter in
    list.filter { $0.word.utf8Start.pointee == UInt8(ascii: "a") + UInt8(letter) }
  }

  /// Adds the hints in the given names, such as the value of a class attribute.
  mutating func read(_ names: ArraySlice<UInt8>) {
    let names = names.prefix(512)
    let words = Self.words
    var isStart = true
    for index in names.indices {
      let byte = names[index]
      // `author` begins a word in `postAuthor`, `post-author` and `post_author`, but not in
      // `unauthored`.
      let begins = isStart || byte &- 0x41 < 26
      isStart = !isLetter(byte)
      guard begins, !isStart else { continue }
      guard index + 1 < names.endIndex else { return }
      let second = names[index + 1].lowercased
      for (word, clue) in words[Int((byte | 0x20) &- 0x61)]
      where word.utf8Start[1] == second && names[index...].starts(withLowercase: word) {
        formUnion(clue)
      }
    }
  }
}

extension NodeTree {
  /// Returns the hints that the names of the given element give.
  func clues(of node: Int32) -> ElementClues {
    var clues: ElementClues = []
    let element = self[node]
    guard element.tag != .text, element.count > 0 else { return clues }
    for value in attributes[Int(element.start)..<Int(element.start + element.count)] {
      switch value.attribute {
      case .class, .id, .itemprop, .rel:
        clues.read(text[Int(value.start)..<Int(value.start + value.count)])
      default: continue
      }
    }
    return clues
  }
}
