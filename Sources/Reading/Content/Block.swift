/// A run of text that no block-level element interrupts, such as a paragraph or a heading.
struct Block {
  /// The first and the last text node of the block.
  var first: Int32
  var last: Int32
  /// The nearest block-level element that contains the text.
  var owner: Int32
  var words: Int32 = 0
  /// The total number of bytes of the block's words.
  var bytes: Int32 = 0
  var linkWords: Int32 = 0
  var links: Int32 = 0
  /// The number of punctuation characters inside words, and the number of ends of sentences.
  var marks: Int32 = 0
  var sentences: Int32 = 0
  var capitals: Int32 = 0
  var digits: Int32 = 0
  /// The number of bytes that are not ASCII.
  var wide: Int32 = 0
  /// The number of words that are common in prose, such as articles.
  var common: Int32 = 0
  /// The number of words that also occur in the document's title.
  var titleWords: Int32 = 0
  var strongWords: Int32 = 0
  /// The number of word pairs that the page's description contains, and that its linked data
  /// contains.
  var described: Int32 = 0
  var linked: Int32 = 0
  /// The hash of the last word.
  var lastWord: UInt64 = 0
  /// The groups of ``CueWords/phrases`` that the block's words belong to, one bit for each.
  var cues: UInt32 = 0
  /// The groups of ``CueWords/phrases`` that the first two words belong to, one bit for each.
  var firstCues: UInt32 = 0
  /// The hash of the first two words, from ``Echo/pair(_:_:)``.
  var firstPair: UInt64 = 0
  /// The numbers of words in capitals, of emphasized words, and of dates and times.
  var upper: Int32 = 0
  var emphasis: Int32 = 0
  var dates: Int32 = 0
  /// The number of words that the author's name contains, and that the site's name contains.
  var authorWords: Int32 = 0
  var siteWords: Int32 = 0
  /// The number of words before the first link, and the number after the last link.
  var wordsBeforeLink: Int32 = 0
  var wordsAfterLink: Int32 = 0
  /// The kinds of targets that the block's links have, as a mask of ``LinkTargets``.
  var targets: UInt32 = 0
  /// The number of images between the previous block and this one.
  var images: Int32 = 0
  var begins: UInt8 = 0
  var ends: UInt8 = 0
  /// The hash of all the block's words.
  var hash = NameHash()
}

extension Block {
  /// The number of words if the block is probably prose; otherwise 0.
  var prose: Int32 { sentences > 0 && words >= 8 && linkWords * 2 < words ? words : 0 }

  /// Adds the given word to the block's counts.
  mutating func add(_ word: Word, _ page: PageWords) {
    let isFirst = words == 0
    let isSecond = words == 1
    words += word.count
    bytes += word.bytes
    marks += word.marks
    sentences += word.sentences
    capitals += word.isCapital ? 1 : 0
    digits += word.digits
    wide += word.wide
    if isFirst { begins = word.first }
    ends = word.last
    let wordCues = CueWords.phrases[word.hash]
    cues |= wordCues
    if isFirst || isSecond { firstCues |= wordCues }
    upper += word.isUpper ? 1 : 0
    dates += word.isDate ? 1 : 0
    if page.author.contains(word.hash) { authorWords += 1 }
    if page.site.contains(word.hash) { siteWords += 1 }
    common += CueWords.common[word.hash] != 0 ? 1 : word.common
    if page.title.contains(word.hash) { titleWords += word.count }
    if !page.description.isEmpty, page.description.contains(lastWord, word.hash) { described += 1 }
    if !page.linkedData.isEmpty, page.linkedData.contains(lastWord, word.hash) { linked += 1 }
    if isSecond { firstPair = Echo.pair(lastWord, word.hash) }
    lastWord = word.hash
    hash.add(UInt8(truncatingIfNeeded: word.hash))
    hash.add(UInt8(truncatingIfNeeded: word.hash >> 8))
  }
}

/// The properties of one word of a text.
struct Word {
  /// The hash of the word's letters and digits, in lower case.
  var hash: UInt64
  var bytes: Int32 = 0
  var marks: Int32 = 0
  var digits: Int32 = 0
  var wide: Int32 = 0
  var isCapital = false
  /// The number of words that it counts as, of ends of sentences, and of common words.
  ///
  /// In scripts without spaces, a run of text counts as several words.
  var count: Int32 = 1
  var sentences: Int32 = 0
  var common: Int32 = 0
  /// `true` if the word has at least two capitals and no lower-case letter.
  var isUpper = false
  /// `true` if the word may be a date, a year or a time.
  var isDate = false
  var first: UInt8 = 0
  var last: UInt8 = 0

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>.SubSequence) {
    var name = NameHash()
    var capitals = 0
    var small = 0
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
        if byte < 0x60 { capitals += 1 } else { small += 1 }
      } else if isDigit(byte) {
        digits += 1
        name.add(byte)
      } else {
        marks += 1
      }
    }
    hash = name.value
    if wide >= 3 { countUnspaced(text) }
    if last == 0x2E || last == 0x21 || last == 0x3F { sentences = max(1, sentences) }
    isUpper = capitals > 1 && small == 0
    // 2026, 24.12.2026, 2026-12-24, 24/12/26, 10:30.
    isDate =
      digits > 2 && Int(digits + marks) == text.count
      && (digits == 4 && marks <= 1 && (first == 0x31 || first == 0x32)
        || marks >= 2 && digits >= 4 && digits <= 8 || marks == 1 && digits <= 4)
  }
}
