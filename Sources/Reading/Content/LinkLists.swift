/// The lists of links that a heading or a sentence of the content introduces.
///
/// Examples are downloads and sources. ``ContentModel`` drops most of them, because lists of related
/// stories have the same shape.
struct LinkLists {
  private let shape: PageShape
  /// For each block, `true` if it repeats an earlier block.
  private let isCopy: [Bool]

  init(_ shape: PageShape, _ isCopy: [Bool]) {
    self.shape = shape
    self.isCopy = isCopy
  }

  /// The maximum numbers of items and of words of a list.
  private static let most: (items: Int, words: Int32) = (60, 400)

  /// Keeps the introduced lists, and the headings over them.
  func settle(_ keeps: inout [Bool]) {
    var end = 0
    let lists = shape.nearest { Tag.list.contains(shape.tree.nodes[$0].tag) }
    for index in shape.blocks.indices where index >= end {
      let list = lists[Int(shape.blocks[index].owner)]
      guard list > 0 else { continue }
      let items = shape.blocks(under: list)
      guard items.lowerBound == index, isListed(list, items), isIntroduced(items, keeps) else {
        continue
      }
      end = items.upperBound
      for item in items where !isCopy[item] { keeps[item] = true }
      keeps[items.lowerBound - 1] = true
    }
  }

  /// Returns `true` if the given list consists of links, but not of links around the content.
  private func isListed(_ list: Int32, _ items: Range<Int>) -> Bool {
    let sum = shape.sums[Int(list)]
    guard items.count > 1, items.count <= Self.most.items, sum.words <= Self.most.words,
      sum.linkWords * 2 >= sum.words
    else { return false }
    let around = shape.surroundings[Int(shape.blocks[items.lowerBound].first)]
    guard around.isDisjoint(with: Self.outside), shape.cues[Int(list)] & Self.names == 0 else {
      return false
    }
    let others = items.count { item in
      let targets = shape.blocks[item].targets
      return targets & LinkTargets.service != 0 || targets == LinkTargets.samePage
    }
    return others * 2 < items.count
  }

  private static let outside: BlockSurroundings = [
    .header, .footer, .aside, .navigation, .complementary, .form, .button,
  ]
  /// The groups of ``CueWords/names`` for comments, sidebars, related stories, sharing, menus,
  /// footers, advertisements, consent and logins.
  private static let names: UInt32 = 0b1_0000_0101_0111_1110

  /// Returns `true` if the block before the given list introduces it, and content is before that.
  private func isIntroduced(_ items: Range<Int>, _ keeps: [Bool]) -> Bool {
    let lead = items.lowerBound - 1
    guard lead > 0, !isCopy[lead] else { return false }
    let block = shape.blocks[lead]
    let last = shape.blocks[..<lead].lastIndex { $0.prose > 0 }
    guard let last, lead - last <= 20, keeps[last], block.words <= 40, block.linkWords == 0,
      block.cues & Self.calls == 0, !ReadingCalls.leads(block), !holds(block, anyOf: Self.offers),
      isNear(lead, last)
    else { return false }
    let level = shape.tree[block.owner].tag.headingLevel
    let isHeading = level > 1 || block.strongWords == block.words && block.words <= 8
    let isSentence = block.ends == UInt8(ascii: ":") && keeps[lead] && block.words > 2
    guard isHeading || isSentence else { return false }
    return isSentence || namesSources(block) || holdsFiles(items)
  }

  /// The groups of ``CueWords/phrases`` for subscriptions, sharing, related stories, comments,
  /// advertisements, menus, tags, donations, further reading and videos.
  private static let calls: UInt32 = 0b1_1101_0011_0000_1111_0010

  /// Returns `true` if the element around both given blocks has little besides content.
  private func isNear(_ lead: Int, _ prose: Int) -> Bool {
    var left = shape.blocks[prose].owner
    var right = shape.blocks[lead].owner
    // A parent's index is smaller than its child's.
    while left != right {
      shape.deadline.spend(1)
      if left > right { left = shape.tree[left].parent } else { right = shape.tree[right].parent }
    }
    let sum = shape.sums[Int(left)]
    return left > 0 && sum.prose * 2 >= sum.words - sum.linkWords
  }

  private func holdsFiles(_ items: Range<Int>) -> Bool {
    let files = items.count { shape.blocks[$0].targets & LinkTargets.file != 0 }
    return files * 2 >= items.count
  }

  /// Returns `true` if the given heading names sources or documents.
  private func namesSources(_ heading: Block) -> Bool {
    heading.words <= 6 && holds(heading, anyOf: Self.sources)
  }

  /// Returns `true` if the given block contains one of the given words.
  private func holds(_ block: Block, anyOf words: NameTable<Void>) -> Bool {
    var isFound = false
    for node in block.first...block.last where shape.tree[node].tag == .text {
      shape.tree.bytes(of: node).withUnsafeBufferPointer { bytes in
        bytes.forEachWord { word in
          guard let word else { return }
          isFound = isFound || words[Word(bytes[word]).hash] != nil
        }
      }
    }
    return isFound
  }

  /// The words in headings of such lists, in several languages.
  private static let sources = table(
    """
    sources source references reference bibliography footnotes endnotes citations downloads \
    download documents files attachments materials quellen quelle literatur \
    literaturverzeichnis nachweise einzelnachweise weblinks anmerkungen fußnoten belege dokumente \
    dateien anhänge materialien références référence sources bibliographie téléchargements \
    documents fuentes fuente referencias bibliografía descargas documentos \
    archivos fonti riferimenti bibliografia documenti allegati bronnen referenties literatuur bijlagen documenten źródła przypisy dokumenty pliki załączniki \
    källor referenser litteratur dokument bilagor filer kilder referanser referencer litteratur \
    lähteet viitteet источники литература примечания документы файлы 参考文献 脚注 出典 \
    参考资料 下载
    """)

  /// The words in sentences that introduce other stories.
  private static let offers = table("liked enjoy enjoyed interest interested interesting")

  private static func table(_ words: String) -> NameTable<Void> {
    // Words are lower-cased only in ASCII, so forms with capitals are listed as well.
    let forms = words.split(separator: " ").flatMap {
      [String($0), $0.prefix(1).uppercased() + $0.dropFirst()]
    }
    return NameTable(
      forms.map { word in
        let hash = Array(word.utf8).withUnsafeBufferPointer { Word($0[...]).hash }
        return (key: hash, value: ())
      })
  }
}
