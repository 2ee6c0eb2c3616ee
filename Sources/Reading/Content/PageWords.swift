import Core

/// The words in a page's metadata.
///
/// This is a class because its tables are large and it is passed to a function for each text of the
/// page.
final class PageWords {
  /// The words of the title, as hashes of ``Word``.
  let title: HashSet
  /// The words in the author's name, and the words in the site's name.
  let author: HashSet
  let site: HashSet
  /// The host in the page's own address.
  let host: [UInt8]
  let description: Echo
  let linkedData: Echo

  init(
    _ metadata: Metadata, address: String, linkedData blocks: [ArraySlice<UInt8>],
    _ deadline: Deadline
  ) {
    deadline.spend(blocks.reduce(0) { $0 + $1.count })
    var title = HashSet()
    var description = Echo()
    var linkedData = Echo()
    title.insertWords(of: metadata.facts.title)
    var author = HashSet()
    var site = HashSet()
    author.insertWords(of: metadata.facts.author)
    site.insertWords(of: metadata.facts.siteName)
    let address = metadata.facts.canonicalURL ?? address
    let parts = address.utf8.split(separator: 0x2F, maxSplits: 3, omittingEmptySubsequences: false)
    host = parts.count > 2 ? Array(parts[2]) : []
    description.add((metadata.facts.description ?? "").utf8)
    for block in blocks { linkedData.add(block) }
    self.title = title
    self.author = author
    self.site = site
    self.description = description
    self.linkedData = linkedData
  }
}

extension HashSet {
  /// Inserts the words of the given text, as hashes of ``Word``.
  fileprivate mutating func insertWords(of text: String?) {
    Array((text ?? "").utf8).withUnsafeBufferPointer { bytes in
      bytes.forEachWord { word in
        if let word { insert(Word(bytes[word]).hash) }
      }
    }
  }
}
