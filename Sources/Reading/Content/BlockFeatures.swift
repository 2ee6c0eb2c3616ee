/// What is known of the blocks of a page, as numbers: a row a block, a column a feature.
///
/// The order of the columns is that of the calls in ``read(_:row:)``; ``ContentModel`` was trained on
/// it, and a change here asks for a new training.
struct BlockFeatures {
  /// The numbers of the blocks that were read last, ``ContentModel/lanes`` of them a column: those
  /// of all would be larger than the page.
  private(set) var rows: [Float] = []
  /// Where the next number goes.
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
  private mutating func put(_ value: Float) {
    makeRoom(1)
    rows[next] = value
    next += ContentModel.lanes
  }

  /// Makes room for so many more numbers: the first row tells how many there are.
  @inline(__always)
  private mutating func makeRoom(_ count: Int) {
    let missing = (next / ContentModel.lanes + count) * ContentModel.lanes - rows.count
    if missing > 0 { rows.append(contentsOf: repeatElement(0, count: missing)) }
  }

  private mutating func put(_ value: Bool) { put(value ? 1 as Float : 0) }
  private mutating func put(log value: Int32) { put(logarithm(value)) }
  private mutating func put(bits: UInt32, _ count: Int) {
    makeRoom(count)
    let next = next
    rows.withUnsafeMutableBufferPointer { rows in
      for bit in 0..<count {
        rows[next + bit * ContentModel.lanes] = Float(bits >> UInt32(bit) & 1)
      }
    }
    self.next += count * ContentModel.lanes
  }

  /// Reads a block as one of the rows.
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

  /// What the block says, by itself.
  private mutating func text(of block: Block) {
    let words = Float(max(1, block.words))
    let bytes = Float(max(1, block.bytes))
    put(log: block.words)
    put(bytes / words)
    put(Float(block.linkWords) / words)
    put(log: block.links)
    put(Float(block.marks) / words)
    put(log: block.sentences)
    put(block.ends == 0x2E || block.ends == 0x21 || block.ends == 0x3F)
    put(block.ends == 0x3A)
    put(block.begins &- 0x41 < 26)
    put(Float(block.capitals) / words)
    put(Float(block.digits) / bytes)
    put(Float(block.wide) / bytes)
    put(Float(block.common) / words)
    put(Float(block.strongWords) / words)
    put(Float(block.titleWords) / words)
    put(Float(block.described) / words)
    put(Float(block.linked) / words)
    put(log: context.copies(of: block))
    put(bits: block.words <= 40 ? block.cues : 0, CueWords.phraseGroups)
  }

  /// What the block stands in.
  private mutating func place(of block: Block) {
    let owner = Int(block.owner)
    put(bits: Self.group(of: tree[block.owner].tag), Self.tagGroups)
    let around = shape.surroundings[Int(block.first)]
    put(bits: around.rawValue, BlockSurroundings.count)
    var near: UInt32 = 0
    var node = Int32(owner)
    for _ in 0..<3 where node > 0 {
      near |= shape.ownCues[Int(node)]
      node = tree[node].parent
    }
    put(bits: near, CueWords.nameGroups)
    put(bits: shape.cues[owner] & ~near, CueWords.nameGroups)
    put(Float(shape.depth[owner]))
    put(Float(context.lists[owner]))
  }

  /// What the elements around the block hold, each larger than the one within.
  private mutating func levels(of block: Block) {
    let total = Float(max(1, shape.sums[0].words))
    for node in shape.levels(of: block) {
      let sum = shape.sums[Int(node)]
      let words = Float(max(1, sum.words))
      put(log: sum.words)
      put(Float(sum.linkWords) / words)
      put(words / total)
      put(log: sum.blocks)
      put(Float(sum.prose) / words)
      put(Float(sum.headings) / Float(max(1, sum.blocks)))
    }
    let best = context.best
    put(context.isInBest(block))
    put(Float(shape.sums[Int(best)].words) / total)
    put(Float(context.distanceToBest(block)))
  }

  /// How often there is something of its kind.
  private mutating func repetition(of block: Block) {
    let alike = context.alike(block)
    put(log: alike.blocks)
    put(Float(alike.words) / Float(max(1, shape.sums[0].words)))
    put(Float(alike.linkWords) / Float(max(1, alike.words)))
    put(Float(alike.prose) / Float(max(1, alike.words)))
    let item = context.item(block)
    put(log: item.count)
    let sum = item.count > 0 ? shape.sums[Int(item.node)] : PageShape.Sum()
    put(log: sum.words)
    put(Float(sum.linkWords) / Float(max(1, sum.words)))
    put(Float(sum.prose) / Float(max(1, sum.words)))
    put(log: sum.blocks)
    put(Float(item.words) / Float(max(1, shape.sums[0].words)))
  }

  private mutating func neighbours(of index: Int) {
    let own = shape.blocks[index]
    for offset in [-3, -2, -1, 1, 2, 3] {
      let at = index + offset
      guard shape.blocks.indices.contains(at) else {
        for _ in 0..<7 { put(Float(-1)) }
        continue
      }
      let block = shape.blocks[at]
      let words = Float(max(1, block.words))
      put(log: block.words)
      put(Float(block.linkWords) / words)
      put(log: block.sentences)
      put(Tag.heading.contains(tree[block.owner].tag))
      put(tree[block.owner].parent == tree[own.owner].parent)
      put(shape.kind[Int(block.owner)] == shape.kind[Int(own.owner)])
      put(Float(block.common) / words)
    }
    for width in [6, 20] {
      let window = context.window(index, width)
      put(log: window.words)
      put(Float(window.linkWords) / Float(max(1, window.words)))
      put(Float(window.prose) / Float(max(1, window.words)))
    }
  }

  private mutating func position(of index: Int, _ block: Block) {
    let count = Float(max(1, shape.blocks.count))
    let total = Float(max(1, shape.sums[0].words))
    put(Float(index) / count)
    put(Float(context.wordsBefore[index]) / total)
    put(Float(index))
    put(Float(shape.blocks.count - index))
    put(Float(max(-200, min(200, index - context.headline))))
    put(Float(max(-200, min(200, index - context.titleBlock))))
    put(Float(context.proseBefore[index]) / Float(max(1, context.prose)))
    put(log: context.prose - context.proseBefore[index])
    put(Float(min(200, index - context.lastProse[index])))
    put(Float(min(200, context.nextProse[index] - index)))
    let heading = context.lastHeading[index]
    put(Float(min(200, index - heading)))
    let over = heading >= 0 ? shape.blocks[heading] : nil
    put(bits: over?.cues ?? 0, CueWords.phraseGroups)
    put(over.map { Float(tree[$0.owner].tag.headingLevel) } ?? 0)
    put(over == nil ? 0 : Float(context.depthWithHeading[index]))
    put(log: context.copiesBefore[index])
    put(bits: context.headingCues[index], CueWords.phraseGroups)
    shared(context.sumWithHeadline(block))
    shared(context.sumWithTitle(block))
  }

  /// What the lowest element holds that is around the block and around another one.
  private mutating func shared(_ sum: PageShape.Sum?) {
    guard let sum else {
      for _ in 0..<3 { put(Float(-1)) }
      return
    }
    let words = Float(max(1, sum.words))
    put(words / Float(max(1, shape.sums[0].words)))
    put(Float(sum.linkWords) / words)
    put(Float(sum.prose) / words)
  }

  /// The number of bits of ``group(of:)``.
  private static let tagGroups = 14

  /// The bit of a tag's like.
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
