import Core

/// A run of text that no edge of a block interrupts, such as a paragraph or a heading.
struct Block {
  /// Its first and its last text node.
  var first: Int32
  var last: Int32
  /// The nearest element around it that is a block.
  var owner: Int32
  var words: Int32 = 0
  /// Bytes of its words.
  var bytes: Int32 = 0
  var linkWords: Int32 = 0
  var links: Int32 = 0
  /// Punctuation within, and what ends a sentence.
  var marks: Int32 = 0
  var sentences: Int32 = 0
  var capitals: Int32 = 0
  var digits: Int32 = 0
  /// Bytes outside of ASCII.
  var wide: Int32 = 0
  /// Words that are common in prose.
  var common: Int32 = 0
  /// Words that the document's title holds as well.
  var titleWords: Int32 = 0
  var strongWords: Int32 = 0
  /// Words that follow each other in the page's description and in its linked data as well.
  var described: Int32 = 0
  var linked: Int32 = 0
  /// The last word's hash.
  var lastWord: UInt64 = 0
  /// The groups of ``CueWords/phrases`` that its words belong to.
  var cues: UInt32 = 0
  var begins: UInt8 = 0
  var ends: UInt8 = 0
  /// A hash of its words.
  var hash = NameHash()
}

extension Block {
  /// Its words when it reads like prose, else 0.
  var prose: Int32 { sentences > 0 && words >= 8 && linkWords * 2 < words ? words : 0 }

  /// Takes a word in.
  mutating func add(_ word: Word, _ page: PageWords) {
    words += 1
    bytes += word.bytes
    marks += word.marks
    sentences += word.endsSentence ? 1 : 0
    capitals += word.isCapital ? 1 : 0
    digits += word.digits
    wide += word.wide
    if words == 1 { begins = word.first }
    ends = word.last
    cues |= CueWords.phrases[word.hash]
    if CueWords.common[word.hash] != 0 { common += 1 }
    if page.title.contains(word.hash) { titleWords += 1 }
    if !page.description.isEmpty, page.description.contains(lastWord, word.hash) { described += 1 }
    if !page.linkedData.isEmpty, page.linkedData.contains(lastWord, word.hash) { linked += 1 }
    lastWord = word.hash
    hash.add(UInt8(truncatingIfNeeded: word.hash))
    hash.add(UInt8(truncatingIfNeeded: word.hash >> 8))
  }
}

/// What is to be known of one word of a text.
struct Word {
  /// Of its letters and digits, in lower case.
  var hash: UInt64
  var bytes: Int32 = 0
  var marks: Int32 = 0
  var digits: Int32 = 0
  var wide: Int32 = 0
  var isCapital = false
  var endsSentence = false
  var first: UInt8 = 0
  var last: UInt8 = 0

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>.SubSequence) {
    var name = NameHash()
    first = text.first ?? 0
    last = text.last ?? 0
    bytes = Int32(text.count)
    isCapital = first &- 0x41 < 26
    for byte in text {
      if byte >= 0x80 {
        wide += 1
        name.add(byte)
      } else if isLetter(byte) {
        name.add(byte | 0x20)
      } else if isDigit(byte) {
        digits += 1
        name.add(byte)
      } else {
        marks += 1
      }
    }
    endsSentence = last == 0x2E || last == 0x21 || last == 0x3F
    hash = name.value
  }
}

/// What a page says of itself outside of its text.
///
/// A class, since it is handed on for every text of the page and its tables are many.
final class PageWords {
  /// The words of its title, by the hash that ``Word`` gives them.
  let title: HashSet
  let description: Echo
  let linkedData: Echo

  init(_ metadata: Metadata, linkedData blocks: [ArraySlice<UInt8>], _ deadline: Deadline) {
    deadline.spend(blocks.reduce(0) { $0 + $1.count })
    var title = HashSet()
    var description = Echo()
    var linkedData = Echo()
    Array((metadata.facts.title ?? "").utf8).withUnsafeBufferPointer { bytes in
      bytes.forEachWord { word in
        if let word { title.insert(Word(bytes[word]).hash) }
      }
    }
    description.add((metadata.facts.description ?? "").utf8)
    for block in blocks { linkedData.add(block) }
    self.title = title
    self.description = description
    self.linkedData = linkedData
  }
}
