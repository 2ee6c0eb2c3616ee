/// The features of a page's blocks as numbers, with one row for each block.
///
/// Each feature has a column. The columns are in the order of the calls in ``read(_:row:)``.
/// ``ContentModel`` was trained with this order, so a change requires a new training.
struct BlockFeatures {
  /// The features of the last ``ContentModel/lanes`` blocks, column by column.
  ///
  /// The features of all blocks would take more memory than the page.
  private(set) var rows: [Float] = []
  /// The index in ``rows`` of the next number to write.
  private var next = 0

  private let shape: PageShape
  private var tree: NodeTree { shape.tree }
  private let context: PageContext

  init(_ shape: PageShape) {
    self.shape = shape
    context = PageContext(shape)
    rows.reserveCapacity(ContentModel.blocks.columns * ContentModel.lanes)
  }

  @inline(__always)
  private mutating func add(_ value: Float) {
    makeRoom(1)
    rows[next] = value
    next += ContentModel.lanes
  }

  /// Makes room for the given number of features.
  ///
  /// The first row determines the size.
  @inline(__always)
  private mutating func makeRoom(_ count: Int) {
    let missing = (next / ContentModel.lanes + count) * ContentModel.lanes - rows.count
    if missing > 0 { rows.append(contentsOf: repeatElement(0, count: missing)) }
  }

  private mutating func add(_ value: Bool) { add(value ? 1 as Float : 0) }
  private mutating func add(log value: Int32) { add(logarithm(value)) }
  private mutating func add(bits: UInt32, _ count: Int) {
    makeRoom(count)
    let next = next
    rows.withUnsafeMutableBufferPointer { rows in
      for bit in 0..<count {
        rows[next + bit * ContentModel.lanes] = Float(bits >> UInt32(bit) & 1)
      }
    }
    self.next += count * ContentModel.lanes
  }

  /// Reads the features of the block at the given index into the given row.
  mutating func read(_ index: Int, row: Int) {
    next = row
    shape.deadline.spend(256)
    let block = shape.blocks[index]
    text(of: block)
    place(of: block)
    levels(of: block)
    repetition(of: block)
    neighbours(of: index)
    position(of: index, block)
  }

  /// Adds the features of the block's own text.
  private mutating func text(of block: Block) {
    let words = Float(max(1, block.words))
    let bytes = Float(max(1, block.bytes))
    add(log: block.words)
    add(bytes / words)
    add(Float(block.linkWords) / words)
    add(log: block.links)
    add(Float(block.marks) / words)
    add(log: block.sentences)
    add(block.ends == 0x2E || block.ends == 0x21 || block.ends == 0x3F)
    add(block.ends == 0x3A)
    add(block.begins &- 0x41 < 26)
    add(Float(block.capitals) / words)
    add(Float(block.digits) / bytes)
    add(Float(block.wide) / bytes)
    add(Float(block.common) / words)
    add(Float(block.strongWords) / words)
    add(Float(block.titleWords) / words)
    add(Float(block.described) / words)
    add(Float(block.linked) / words)
    add(log: context.copies(of: block))
    add(bits: block.words <= 40 ? block.cues : 0, CueWords.phraseGroups)
    add(Float(block.upper) / words)
    add(Float(block.emphasis) / words)
    add(Float(block.dates) / words)
    add(Float(block.authorWords) / words)
    add(Float(block.siteWords) / words)
    add(log: block.links > 0 ? block.wordsBeforeLink : -1)
    add(log: block.links > 0 ? block.wordsAfterLink : -1)
    add(bits: block.firstCues, CueWords.phraseGroups)
    add(bits: block.targets, LinkTargets.count)
  }

  /// Adds the features of the elements around the block.
  private mutating func place(of block: Block) {
    let owner = Int(block.owner)
    add(bits: Self.group(of: tree[block.owner].tag), Self.tagGroups)
    let around = shape.surroundings[Int(block.first)]
    add(bits: around.rawValue, BlockSurroundings.count)
    var near: UInt32 = 0
    var node = Int32(owner)
    for _ in 0..<3 where node > 0 {
      near |= shape.ownCues[Int(node)]
      node = tree[node].parent
    }
    add(bits: near, CueWords.nameGroups)
    add(bits: shape.cues[owner] & ~near, CueWords.nameGroups)
    add(Float(shape.depth[owner]))
    add(Float(context.lists[owner]))
  }

  /// Adds the features of the content of the elements around the block, from the innermost.
  private mutating func levels(of block: Block) {
    let total = Float(max(1, shape.sums[0].words))
    for node in shape.levels(of: block) {
      let sum = shape.sums[Int(node)]
      let words = Float(max(1, sum.words))
      add(log: sum.words)
      add(Float(sum.linkWords) / words)
      add(words / total)
      add(log: sum.blocks)
      add(Float(sum.prose) / words)
      add(Float(sum.headings) / Float(max(1, sum.blocks)))
      add(log: sum.images)
      add(log: sum.fields)
    }
    let best = context.best
    add(context.isInBest(block))
    add(Float(shape.sums[Int(best)].words) / total)
    add(Float(context.distanceToBest(block)))
  }

  /// Adds the features of blocks of the same kind, and of the repeated element around the block.
  private mutating func repetition(of block: Block) {
    let alike = context.alike(block)
    add(log: alike.blocks)
    add(Float(alike.words) / Float(max(1, shape.sums[0].words)))
    add(Float(alike.linkWords) / Float(max(1, alike.words)))
    add(Float(alike.prose) / Float(max(1, alike.words)))
    let item = context.item(block)
    add(log: item.count)
    let sum = item.count > 0 ? shape.sums[Int(item.node)] : PageShape.Sum()
    add(log: sum.words)
    add(Float(sum.linkWords) / Float(max(1, sum.words)))
    add(Float(sum.prose) / Float(max(1, sum.words)))
    add(log: sum.blocks)
    add(log: sum.images)
    add(Float(item.words) / Float(max(1, shape.sums[0].words)))
  }

  private mutating func neighbours(of index: Int) {
    let own = shape.blocks[index]
    for offset in [-3, -2, -1, 1, 2, 3] {
      let at = index + offset
      guard shape.blocks.indices.contains(at) else {
        for _ in 0..<7 { add(Float(-1)) }
        continue
      }
      let block = shape.blocks[at]
      let words = Float(max(1, block.words))
      add(log: block.words)
      add(Float(block.linkWords) / words)
      add(log: block.sentences)
      add(Tag.heading.contains(tree[block.owner].tag))
      add(tree[block.owner].parent == tree[own.owner].parent)
      add(shape.kind[Int(block.owner)] == shape.kind[Int(own.owner)])
      add(Float(block.common) / words)
    }
    add(log: own.images)
    add(log: shape.blocks.indices.contains(index + 1) ? shape.blocks[index + 1].images : 0)
    for offset in [-1, 1] {
      let at = index + offset
      let beside = shape.blocks.indices.contains(at) ? shape.blocks[at] : nil
      let isShort = beside.map { $0.words <= 12 } ?? false
      add(bits: isShort ? beside?.cues ?? 0 : 0, CueWords.phraseGroups)
      add(bits: beside?.targets ?? 0, LinkTargets.count)
      add(beside.map { Float($0.upper) / Float(max(1, $0.words)) } ?? -1)
      add(beside.map { Float($0.dates) / Float(max(1, $0.words)) } ?? -1)
    }
    let label = context.lastLabel[index]
    let over = label >= 0 ? shape.blocks[label] : nil
    add(Float(min(200, index - label)))
    add(bits: over?.cues ?? 0, CueWords.phraseGroups)
    add(over?.ends == 0x3A)
    for width in [6, 20] {
      let window = context.window(index, width)
      add(log: window.words)
      add(Float(window.linkWords) / Float(max(1, window.words)))
      add(Float(window.prose) / Float(max(1, window.words)))
    }
  }

  private mutating func position(of index: Int, _ block: Block) {
    let count = Float(max(1, shape.blocks.count))
    let total = Float(max(1, shape.sums[0].words))
    add(Float(index) / count)
    add(Float(context.wordsBefore[index]) / total)
    add(Float(index))
    add(Float(shape.blocks.count - index))
    add(Float(max(-200, min(200, index - context.headline))))
    add(Float(max(-200, min(200, index - context.titleBlock))))
    add(Float(context.proseBefore[index]) / Float(max(1, context.prose)))
    add(log: context.prose - context.proseBefore[index])
    add(Float(min(200, index - context.lastProse[index])))
    add(Float(min(200, context.nextProse[index] - index)))
    let heading = context.lastHeading[index]
    add(Float(min(200, index - heading)))
    let over = heading >= 0 ? shape.blocks[heading] : nil
    add(bits: over?.cues ?? 0, CueWords.phraseGroups)
    add(over.map { Float(tree[$0.owner].tag.headingLevel) } ?? 0)
    add(over == nil ? 0 : Float(context.depthWithHeading[index]))
    add(log: context.copiesBefore[index])
    add(bits: context.headingCues[index], CueWords.phraseGroups)
    shared(context.sumWithHeadline(block))
    shared(context.sumWithTitle(block))
  }

  /// Adds the features that the given counts of an element give; -1 for each feature if it is nil.
  private mutating func shared(_ sum: PageShape.Sum?) {
    guard let sum else {
      for _ in 0..<3 { add(Float(-1)) }
      return
    }
    let words = Float(max(1, sum.words))
    add(words / Float(max(1, shape.sums[0].words)))
    add(Float(sum.linkWords) / words)
    add(Float(sum.prose) / words)
  }

  /// The number of bits that ``group(of:)`` uses.
  private static let tagGroups = 14

  /// Returns the group that the given tag belongs to, as a mask with one bit.
  private static func group(of tag: Tag) -> UInt32 {
    let bit: UInt32 =
      switch tag {
      case .p: 0
      case .li: 1
      case .dt, .dd: 2
      case .td, .th: 3
      case .h1: 4
      case .h2: 5
      case .h3: 6
      case .h4, .h5, .h6: 7
      case .pre, .xmp, .plaintext: 8
      case .blockquote: 9
      case .figcaption, .caption: 10
      case .summary, .legend, .details: 11
      case .div, .center: 12
      default: 13
      }
    return 1 << bit
  }
}
