/// The blocks of text in a tree, and what each element contains and is contained in.
///
/// For each element, the blocks in it are counted, and the kinds of elements around it are
/// recorded.
struct PageShape {
  let tree: NodeTree
  /// The number of different words in the page's title.
  let titleWords: Int32
  /// The blocks, in the order of the document.
  private(set) var blocks: [Block] = []
  /// For each text node, the index of its block; -1 if the node belongs to no block.
  private(set) var blockOf: [Int32]
  /// For each node, `true` if it is left out regardless of its text.
  private(set) var isDropped: [Bool]
  /// For each node, the kinds of the elements around it, including the node itself.
  private(set) var surroundings: [BlockSurroundings]
  /// For each node, the counts over all blocks in it.
  private(set) var sums: [Sum]
  /// For each element, the groups of ``CueWords/names`` that its class and id belong to.
  private(set) var ownCues: [UInt32]
  /// For each node, the groups of ``CueWords/names`` that it and its ancestors belong to.
  ///
  /// Elements that contain most of the page's words do not count.
  private(set) var cues: [UInt32]
  /// For each element, a hash of its parent's kind, its tag and its class.
  ///
  /// Similar elements share it.
  private(set) var kind: [UInt64]
  private(set) var depth: [Int16]
  /// For each node, the index of the first block in it.
  ///
  /// Its ``Sum/blocks`` blocks are contiguous.
  private(set) var firstBlock: [Int32]
  /// For each node, the nearest ancestor that has more words; for the root, the root itself.
  private var larger: [Int32] = []
  let deadline: Deadline

  /// The counts over all blocks in an element.
  struct Sum {
    var words: Int32 = 0
    var linkWords: Int32 = 0
    /// The number of words in blocks of prose.
    var prose: Int32 = 0
    var blocks: Int32 = 0
    var headings: Int32 = 0
    /// The number of images, and the number of form fields.
    var images: Int32 = 0
    var fields: Int32 = 0

    mutating func add(_ other: Sum) {
      words += other.words
      linkWords += other.linkWords
      prose += other.prose
      blocks += other.blocks
      headings += other.headings
      images += other.images
      fields += other.fields
    }
  }

  /// The share of the page's words above which an element's name is ignored.
  ///
  /// Such a name describes the whole page.
  private static let most: Float = 0.7

  init(
    _ tree: NodeTree, _ visibility: Visibility, words: PageWords, _ deadline: Deadline
  ) {
    self.tree = tree
    self.deadline = deadline
    titleWords = Int32(clamping: words.title.count)
    let count = tree.nodes.count
    blockOf = [Int32](repeating: -1, count: count)
    isDropped = [Bool](repeating: false, count: count)
    surroundings = [BlockSurroundings](repeating: [], count: count)
    sums = [Sum](repeating: Sum(), count: count)
    ownCues = [UInt32](repeating: 0, count: count)
    cues = [UInt32](repeating: 0, count: count)
    kind = [UInt64](repeating: 0, count: count)
    depth = [Int16](repeating: 0, count: count)
    firstBlock = [Int32](repeating: .max, count: count)
    gather(visibility, words)
    sum()
    findLarger()
    inheritCues()
  }

  /// Returns, for each node, the nearest ancestor for which `holds` returns `true`.
  ///
  /// A node counts as its own ancestor. If there is none, the result is the root. Each node is
  /// examined once.
  func nearest(_ holds: (_ node: Int) -> Bool) -> [Int32] {
    var found = [Int32](repeating: NodeTree.root, count: tree.nodes.count)
    deadline.spend(found.count)
    for index in found.indices.dropFirst() {
      found[index] = holds(index) ? Int32(index) : found[Int(tree.nodes[index].parent)]
    }
    return found
  }

  /// Finds the blocks in one pass over the nodes.
  private mutating func gather(_ visibility: Visibility, _ words: PageWords) {
    var owner = [Int32](repeating: 0, count: tree.nodes.count)
    let targets = LinkTargets(tree, host: words.host, deadline).masks
    var lastOwner: Int32 = -1
    var breaks = 0
    var images: Int32 = 0
    for index in 1..<max(1, tree.nodes.count) {
      let node = tree.nodes[index]
      guard deadline.spend(1 + Int(node.count)) else { return }
      let parent = Int(node.parent)
      depth[index] = depth[parent] &+ 1
      switch node.tag {
      case .img:
        sums[index].images = 1
        images += 1
      case .input, .textarea, .select, .button: sums[index].fields = 1
      default: break
      }
      if isDropped[parent] || visibility.isHidden[index] || Tag.dropped.contains(node.tag) {
        isDropped[index] = true
        continue
      }
      surroundings[index] = surroundings[parent]
      guard node.tag == .text else {
        describe(index, node)
        let isBlock = Tag.block.contains(node.tag)
        owner[index] = isBlock ? Int32(index) : owner[parent]
        // On pages without paragraphs, two line breaks in a row end a paragraph.
        breaks = node.tag == .br ? breaks + 1 : breaks
        if isBlock || node.tag == .hr || breaks > 1 { lastOwner = -1 }
        continue
      }
      let isNew = owner[parent] != lastOwner
      guard add(index, startsBlock: isNew, owner: owner[parent], words, targets[parent]) else {
        continue
      }
      lastOwner = owner[parent]
      breaks = 0
      if isNew { blocks[blocks.count - 1].images = images }
      images = 0
    }
  }

  /// Adds the text node at the given index to the last block or to a new one.
  ///
  /// - Returns: `true` if the node contains a word.
  private mutating func add(
    _ index: Int, startsBlock: Bool, owner: Int32, _ words: PageWords, _ targets: UInt32
  ) -> Bool {
    var block = Block(first: Int32(index), last: Int32(index), owner: owner)
    if !startsBlock, let last = blocks.last { block = last }
    let before = block.words
    let surroundings = surroundings[index]
    tree.bytes(of: Int32(index)).withUnsafeBufferPointer { bytes in
      bytes.forEachWord { word in
        if let word { block.add(Word(bytes[word]), words) }
      }
    }
    let added = block.words - before
    guard added > 0 else {
      if !startsBlock, !blocks.isEmpty { blockOf[index] = Int32(blocks.count - 1) }
      return !startsBlock
    }
    if surroundings.contains(.link) {
      if block.links == 0 { block.wordsBeforeLink = before }
      block.wordsAfterLink = 0
      block.linkWords += added
      block.links += 1
      block.targets |= targets
    } else {
      block.wordsAfterLink += added
    }
    if surroundings.contains(.emphasis) { block.emphasis += added }
    if surroundings.contains(.strong) { block.strongWords += added }
    block.last = Int32(index)
    if startsBlock { blocks.append(block) } else { blocks[blocks.count - 1] = block }
    blockOf[index] = Int32(blocks.count - 1)
    return true
  }

  private mutating func describe(_ index: Int, _ node: NodeTree.Node) {
    var own = BlockSurroundings(of: node.tag)
    var hash = kind[Int(node.parent)]
    hash = (hash ^ UInt64(node.tag.rawValue)) &* 0x100_0000_01B3
    let range = Int(node.start)..<Int(node.start + node.count)
    for value in tree.attributes[range] {
      let bytes = tree.text[Int(value.start)..<Int(value.start + value.count)]
      deadline.spend(bytes.count)
      switch value.attribute {
      case .role:
        own.insert(BlockSurroundings(role: bytes))
        ownCues[index] |= CueWords.names.cues(inName: bytes)
      case .class:
        ownCues[index] |= CueWords.names.cues(inName: bytes.prefix(512))
        var name = NameHash()
        // The first class names the kind; further classes are states.
        for byte in bytes.drop(while: isSpace).prefix(while: { !isSpace($0) }) { name.add(byte) }
        hash = (hash ^ name.value) &* 0x100_0000_01B3
      case .id, .itemprop:
        ownCues[index] |= CueWords.names.cues(inName: bytes.prefix(128))
      default: continue
      }
    }
    kind[index] = hash
    surroundings[index].formUnion(own)
  }

  private mutating func sum() {
    for (index, block) in blocks.enumerated() {
      let owner = Int(block.owner)
      firstBlock[owner] = min(firstBlock[owner], Int32(index))
      sums[owner].add(
        Sum(
          words: block.words, linkWords: block.linkWords, prose: block.prose, blocks: 1,
          headings: Tag.heading.contains(tree[block.owner].tag) ? 1 : 0))
    }
    for index in stride(from: tree.nodes.count - 1, to: 0, by: -1) {
      let parent = Int(tree.nodes[index].parent)
      sums[parent].add(sums[index])
      firstBlock[parent] = min(firstBlock[parent], firstBlock[index])
    }
  }

  private mutating func findLarger() {
    larger = [Int32](repeating: NodeTree.root, count: tree.nodes.count)
    for index in larger.indices.dropFirst() {
      let parent = tree.nodes[index].parent
      let isLarger = sums[Int(parent)].words > sums[index].words
      larger[index] = isLarger ? parent : larger[Int(parent)]
    }
  }

  /// Returns ``levels`` elements around the given block, from the innermost.
  ///
  /// Each has more words than the one before. The root is repeated if there are too few.
  func levels(of block: Block) -> [Int32] {
    var levels: [Int32] = []
    levels.reserveCapacity(Self.levels)
    var node = block.owner
    while levels.count < Self.levels {
      levels.append(node)
      node = larger[Int(node)]
    }
    return levels
  }

  /// The number of elements that ``levels(of:)`` returns.
  static let levels = 5

  /// Returns the range of the blocks in the given node.
  func blocks(under node: Int32) -> Range<Int> {
    let first = Int(firstBlock[Int(node)])
    return first..<first + Int(sums[Int(node)].blocks)
  }

  private mutating func inheritCues() {
    let most = Int32(Float(sums[0].words) * Self.most)
    for index in 1..<max(1, tree.nodes.count) where !isDropped[index] {
      let parent = Int(tree.nodes[index].parent)
      // Inline elements have no sums of their own; their content is small.
      cues[index] = cues[parent] | (sums[index].words <= most ? ownCues[index] : 0)
    }
  }
}
