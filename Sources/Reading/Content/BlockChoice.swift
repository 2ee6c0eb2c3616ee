import Foundation

/// The selection of a page's blocks that are its content.
struct BlockChoice {
  /// For each block, `true` if it is content.
  private(set) var keeps: [Bool]

  /// The number of words below which a page is too short for ``ContentModel``.
  ///
  /// All text of such a page, except headers, footers and asides, is content.
  static let fewWords = 80

  /// The minimum numbers of words of a block that is dropped because it repeats an earlier block.
  ///
  /// `among` applies to a block next to another copy, `alone` to any other block.
  private static let copiedWords: (among: Int32, alone: Int32) = (4, 8)

  /// The weight of recall against precision in the F score of a story (beta).
  private static let storyBeta: Float = 0.65
  /// The minimum likelihood of a block that is kept as part of a story.
  private static let storyLeast: Float = 0.6

  /// Chooses the blocks of a page that are content.
  ///
  /// - Parameters:
  ///   - shape: The blocks of the page.
  ///   - isStory: `true` if the page tells one story. A block of such a page needs a higher
  ///     likelihood. This leaves out text around the story, such as comments and related stories.
  init(_ shape: PageShape, isStory: Bool) {
    keeps = [Bool](repeating: false, count: shape.blocks.count)
    guard !shape.blocks.isEmpty else { return }
    if shape.sums[0].words < Self.fewWords {
      keepShort(shape)
    } else {
      let isCopy = Self.copies(shape)
      keep(mostLikely: Self.likelihoods(shape, isCopy), isStory: isStory, shape)
      settleGroups(shape, isCopy)
      settleRows(shape)
      LinkLists(shape, isCopy).settle(&keeps)
      settleFormulas(shape)
      settleHeadings(shape)
      for (index, block) in shape.blocks.enumerated() where ReadingCalls.contains(block) {
        keeps[index] = false
      }
      if isStory { OtherStories(shape).drop(from: &keeps) }
    }
  }

  /// Keeps the text in `main` and `article` elements if it has most of the words.
  ///
  /// Otherwise, all text outside of headers, footers and asides is kept.
  private mutating func keepShort(_ shape: PageShape) {
    let isInside = shape.blocks.map {
      !shape.surroundings[Int($0.first)].isDisjoint(with: [.main, .article])
    }
    let inside = zip(shape.blocks, isInside).reduce(Int32(0)) { $0 + ($1.1 ? $1.0.words : 0) }
    let isMost = inside > 0 && inside * 2 >= shape.sums[0].words
    for (index, block) in shape.blocks.enumerated() {
      let around = shape.surroundings[Int(block.first)]
      let isAround = !around.isDisjoint(with: [.header, .footer, .aside])
      keeps[index] = !around.contains(.button) && (isInside[index] || !isMost && !isAround)
    }
  }

  /// Returns, for each block, `true` if it repeats an earlier block.
  ///
  /// Some pages contain a text twice, for two screen widths.
  private static func copies(_ shape: PageShape) -> [Bool] {
    var firsts = HashTable<Int>()
    let first = shape.blocks.enumerated().map { index, block in
      if let first = firsts[block.hash.value] { return first }
      firsts.set(block.hash.value, index)
      return index
    }
    /// Returns `true` if the two given adjacent blocks repeat two earlier adjacent blocks.
    func areCopies(_ left: Int, _ right: Int) -> Bool {
      guard left >= 0, right < first.count else { return false }
      return first[left] < left && first[right] == first[left] + 1
    }
    return shape.blocks.enumerated().map { index, block in
      guard first[index] < index, block.words >= copiedWords.among else { return false }
      return block.words >= copiedWords.alone || areCopies(index - 1, index)
        || areCopies(index, index + 1)
    }
  }

  /// Returns, for each block, the likelihood that it is content, from 0 to 1.
  ///
  /// It is 0 for a copy of an earlier block.
  private static func likelihoods(_ shape: PageShape, _ isCopy: [Bool]) -> [Float] {
    var features = BlockFeatures(shape)
    let model = ContentModel.blocks
    var likelihoods = [Float](repeating: 0, count: shape.blocks.count)
    let blocks = shape.blocks.indices.filter { !isCopy[$0] }
    for start in stride(from: 0, to: blocks.count, by: ContentModel.lanes) {
      let some = blocks[start..<min(start + ContentModel.lanes, blocks.count)]
      for (row, block) in some.enumerated() { features.read(block, row: row) }
      let sums = model.sums(of: features.rows, 1)[0]
      for (row, block) in some.enumerated() { likelihoods[block] = 1 / (1 + expf(-sums[row])) }
      guard !shape.deadline.isLate else { break }
    }
    return likelihoods
  }

  /// Keeps as many of the likeliest blocks as give the greatest expected F score.
  ///
  /// The score is proportional to E / (K + beta² T). E is the expected number of content words
  /// among the K kept words. T is the expected number of content words on the page. Beta is 1
  /// unless the page is a story. In a story, blocks below ``storyLeast`` are dropped if another
  /// block reaches that value.
  private mutating func keep(
    mostLikely likelihoods: [Float], isStory: Bool, _ shape: PageShape
  ) {
    guard likelihoods.count == shape.blocks.count else { return }
    let order = likelihoods.indices.sorted { likelihoods[$0] > likelihoods[$1] }
    var right: Float = 0
    let recall = isStory ? Self.storyBeta * Self.storyBeta : 1
    let all =
      recall
      * likelihoods.indices.reduce(Float(0)) {
        $0 + likelihoods[$1] * Float(shape.blocks[$1].words)
      }
    var kept: Float = 0
    var best: Float = 0
    var last = 0
    for (rank, index) in order.enumerated() {
      let words = Float(shape.blocks[index].words)
      right += likelihoods[index] * words
      kept += words
      guard right > best * (kept + all) else { continue }
      best = right / (kept + all)
      last = rank
    }
    var least = likelihoods[order[last]]
    if isStory, likelihoods[order[0]] >= Self.storyLeast { least = max(least, Self.storyLeast) }
    for index in likelihoods.indices { keeps[index] = likelihoods[index] >= least && least > 0 }
  }

  /// The counts of words and blocks in one list or table.
  private struct Group {
    var words: Int32 = 0
    var kept: Int32 = 0
    var blocks: Int32 = 0
    /// The number of blocks that name rows or columns.
    var names: Int32 = 0
  }

  /// Keeps or drops each list and data table as a whole, by the share of its words that are kept.
  ///
  /// It is kept if the share is large, and dropped if it is small. A smaller share is enough for a
  /// table that has row names.
  private mutating func settleGroups(_ shape: PageShape, _ isCopy: [Bool]) {
    let tags = shape.tree.nodes
    // The innermost list or table around a node, -1 if there is none.
    let around = shape.nearest { Tag.list.contains(tags[$0].tag) || tags[$0].tag == .table }
    let groups = shape.blocks.map { around[Int($0.owner)] > 0 ? around[Int($0.owner)] : -1 }
    var sums = HashTable<Group>()
    for (index, group) in groups.enumerated() where group >= 0 {
      let block = shape.blocks[index]
      var sum = sums[UInt64(group), default: Group()]
      sum.words += block.words
      sum.kept += keeps[index] ? block.words : 0
      sum.blocks += 1
      sum.names += shape.tree[block.owner].tag == .th ? 1 : 0
      sums.set(UInt64(group), sum)
    }
    for (index, group) in groups.enumerated() {
      guard group >= 0, let sum = sums[UInt64(group)], sum.blocks > 2, !isCopy[index] else {
        continue
      }
      // A table with long cells is used for layout.
      if shape.tree[group].tag == .table, sum.words > 12 * sum.blocks { continue }
      let isNamed = sum.names > 1 && sum.names * 4 >= sum.blocks
      if sum.kept * (isNamed ? 4 : 2) >= sum.words {
        keeps[index] = true
      } else if sum.kept * (isNamed ? 4 : 8) < sum.words {
        keeps[index] = false
      }
    }
  }

  /// The number of words in a row from which its cells count as layout.
  private static let longRow: Int32 = 150

  /// Keeps each table row whole if most of its words are kept.
  ///
  /// A value without its name would have no meaning.
  private mutating func settleRows(_ shape: PageShape) {
    var end = 0
    let rows = shape.nearest { shape.tree.nodes[$0].tag == .tr }
    for index in shape.blocks.indices where index >= end {
      guard shape.surroundings[Int(shape.blocks[index].first)].contains(.table) else { continue }
      let row = rows[Int(shape.blocks[index].owner)]
      let words = shape.sums[Int(row)].words
      guard row > 0, words < Self.longRow else { continue }
      let blocks = shape.blocks(under: row)
      end = blocks.upperBound
      let cells = shape.tree.children(of: row).count {
        shape.deadline.spend(1)
        return shape.sums[Int($0)].words > 0
      }
      guard cells > 1 else { continue }
      let kept = blocks.reduce(Int32(0)) { $0 + (keeps[$1] ? shape.blocks[$1].words : 0) }
      if kept * 2 >= words { for block in blocks { keeps[block] = true } }
    }
  }

  /// Keeps the blocks that are formulas after kept text.
  ///
  /// The symbols of a formula do not resemble prose.
  private mutating func settleFormulas(_ shape: PageShape) {
    let formulas = shape.nearest { shape.tree.nodes[$0].tag == .math }
    for (index, block) in shape.blocks.enumerated() where index > 0 && keeps[index - 1] {
      let formula = formulas[Int(block.first)]
      if formula > 0, formula == formulas[Int(block.last)] { keeps[index] = true }
    }
  }

  /// Keeps the headings that kept text follows.
  ///
  /// The page's title is not changed.
  private mutating func settleHeadings(_ shape: PageShape) {
    /// For each heading level, `true` if the text after it is kept.
    var isFollowed = [Bool](repeating: false, count: 8)
    for index in shape.blocks.indices.reversed() {
      let level = shape.tree[shape.blocks[index].owner].tag.headingLevel
      guard level > 0 else {
        // Only the nearest text after a heading decides, not text further down.
        for each in 1...6 { isFollowed[each] = keeps[index] }
        continue
      }
      let block = shape.blocks[index]
      let isTitle = level == 1 && block.titleWords * 2 >= block.words
      if isFollowed[level], !isTitle { keeps[index] = true }
      for each in level...6 { isFollowed[each] = false }
    }
  }
}
