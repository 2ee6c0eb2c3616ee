/// The links to other stories of the same site among the paragraphs of a story.
///
/// ``ContentModel`` keeps most of them: a link alone on its line stands among paragraphs and has
/// the words of a sentence.
struct OtherStories {
  private let shape: PageShape

  init(_ shape: PageShape) { self.shape = shape }

  /// The minimum number of words of a link that is the headline of a story.
  private static let least: Int32 = 5
  /// The maximum number of words of such a line, and of a label before the link.
  private static let most: (words: Int32, label: Int32) = (40, 4)
  /// The maximum number of words of a heading over such links.
  private static let heading: Int32 = 6
  /// The group of ``CueWords/phrases`` for related stories.
  private static let related: UInt32 = 1 << 5

  /// Drops those lines, and the headings over them.
  ///
  /// If a fifth of the content consists of lines without such a heading, the page is a list of
  /// links after all, and those lines stay.
  func drop(from keeps: inout [Bool]) {
    var (led, alone): ([Int], [Int]) = ([], [])
    var words: (kept: Int32, alone: Int32) = (0, 0)
    /// The last block that is more than a link.
    var lead = -1
    for (index, block) in shape.blocks.enumerated() {
      let isLink = block.linkWords == block.words
      if keeps[index] {
        words.kept += block.words
        if isLink, leads(lead), block.words >= Self.least {
          led.append(index)
          if lead == index - 1 { led.append(lead) }
        } else if isLine(block), isLink ? !announces(lead, keeps) : isLabelled(block) {
          alone.append(index)
          words.alone += block.words
        }
      }
      if !isLink { lead = index }
    }
    for line in led { keeps[line] = false }
    guard words.alone * 5 < words.kept else { return }
    for line in alone { keeps[line] = false }
  }

  /// Returns `true` if the given block is only a link, or a link after a few words.
  private func isLine(_ block: Block) -> Bool {
    block.linkWords >= Self.least && block.words <= Self.most.words
      && block.linkWords + Self.most.label >= block.words && block.wordsAfterLink == 0
      && block.titleWords * 2 < block.words
      && block.targets & LinkTargets.sameSite != 0
      && block.targets & (LinkTargets.file | LinkTargets.samePage) == 0
      && Self.owners.contains(shape.tree[block.owner].tag)
      && shape.surroundings[Int(block.first)].isDisjoint(with: [.table, .button])
  }

  private static let owners = Tag.Group(.p, .div, .section, .article, .aside, .blockquote)

  /// Returns `true` if the given block has one link, and a colon ends the text before it.
  private func isLabelled(_ block: Block) -> Bool {
    guard block.links == 1 else { return false }
    var last: UInt8 = 0
    for node in block.first...block.last where shape.tree[node].tag == .text {
      guard !shape.surroundings[Int(node)].contains(.link) else { break }
      last = shape.tree.bytes(of: node).last { !isSpace($0) } ?? last
    }
    return last == UInt8(ascii: ":")
  }

  /// Returns `true` if the given block announces links as content.
  private func announces(_ index: Int, _ keeps: [Bool]) -> Bool {
    index >= 0 && keeps[index] && shape.blocks[index].ends == UInt8(ascii: ":")
  }

  /// Returns `true` if the given block is a heading such as `More from UK` or `Related news`.
  private func leads(_ index: Int) -> Bool {
    guard index >= 0 else { return false }
    let block = shape.blocks[index]
    return block.words <= Self.heading && block.linkWords == 0
      && (ReadingCalls.leads(block)
        || block.cues & Self.related != 0 && block.ends != UInt8(ascii: ":"))
  }
}
