/// The relation of each block to the page's other blocks, from which features are computed.
struct PageContext {
  /// The lowest element that contains at least six tenths of the page's prose.
  private(set) var best: Int32 = 0
  /// The indices of the first block that is an `h1`, and of the first block that repeats the title.
  ///
  /// An index is -1000 if there is no such block.
  private(set) var headline = -1000
  private(set) var titleBlock = -1000
  /// For each block, the numbers of words and of words of prose before it.
  private(set) var wordsBefore: [Int32] = []
  private(set) var proseBefore: [Int32] = []
  /// For each block, the nearest block of prose at or before it, and the nearest at or after it.
  private(set) var lastProse: [Int] = []
  private(set) var nextProse: [Int] = []
  /// For each block, the last heading before it; -1 if there is none.
  private(set) var lastHeading: [Int] = []
  /// For each block, the last short text before it that may be its label; -1 if there is none.
  private(set) var lastLabel: [Int] = []
  /// For each block, the number of earlier blocks with the same words.
  private(set) var copiesBefore: [Int32] = []
  /// For each block, the combined cues of the headings before it.
  private(set) var headingCues: [UInt32] = []
  /// The number of words of prose on the page.
  private(set) var prose: Int32 = 0
  /// For each node, the number of lists that contain it.
  ///
  /// A list contains itself.
  private(set) var lists: [Int16]
  /// For each block, the depth of the lowest element that contains it and the heading before it.
  private(set) var depthWithHeading: [Int16] = []
  /// For each node, the lowest element that contains the node and a particular other block or
  /// element.
  ///
  /// The other one is the best element, the headline, or the first block that repeats the title.
  private var withBest: [Int32] = []
  private var withHeadline: [Int32] = []
  private var withTitle: [Int32] = []

  private let shape: PageShape
  private var sumBefore: [PageShape.Sum] = []
  private var kinds = HashTable<PageShape.Sum>()
  private var hashes = HashTable<Int32>()
  /// For each node, the nearest ancestor that has at least two similar siblings.
  ///
  /// A node counts as its own ancestor.
  private var itemOf: [Int32]
  /// For each of these elements, the number and the words of the element and its similar siblings.
  private var items: [(count: Int32, words: Int32)]

  /// The nearest element around a block that the page repeats.
  struct Item {
    var node: Int32
    /// The number of similar elements, including `node`; 0 if no element is repeated.
    var count: Int32
    /// The number of words in all similar elements.
    var words: Int32
  }

  init(_ shape: PageShape) {
    self.shape = shape
    itemOf = [Int32](repeating: -1, count: shape.tree.nodes.count)
    items = [(count: Int32, words: Int32)](repeating: (0, 0), count: shape.tree.nodes.count)
    lists = [Int16](repeating: 0, count: shape.tree.nodes.count)
    walk()
    findBest()
    findItems()
    let nodes = shape.tree.nodes
    for index in nodes.indices.dropFirst() {
      lists[index] = lists[Int(nodes[index].parent)] + (Tag.list.contains(nodes[index].tag) ? 1 : 0)
    }
    withBest = elements(around: best)
    withHeadline = owner(headline).map { elements(around: $0) } ?? []
    withTitle = owner(titleBlock).map { elements(around: $0) } ?? []
  }

  /// Returns the owner of the block with the given index; nil if the index is out of range.
  private func owner(_ block: Int) -> Int32? {
    shape.blocks.indices.contains(block) ? shape.blocks[block].owner : nil
  }

  /// Returns, for each node, the lowest element that contains both it and the given node.
  private func elements(around node: Int32) -> [Int32] {
    var holds = [Bool](repeating: false, count: shape.tree.nodes.count)
    var next = node
    while next >= 0 {
      holds[Int(next)] = true
      next = shape.tree[next].parent
    }
    return shape.nearest { holds[$0] }
  }

  /// Returns the counts of the given block, in the form in which elements' counts are added up.
  static func sum(of block: Block) -> PageShape.Sum {
    PageShape.Sum(
      words: block.words, linkWords: block.linkWords, prose: block.prose, blocks: 1)
  }

  private mutating func walk() {
    var sum = PageShape.Sum()
    sumBefore.append(sum)
    var last = -1000
    var heading = -1
    var label = -1
    var cues: UInt32 = 0
    /// The depth of the lowest element that contains all texts since the last heading.
    var shared = Int16.max
    for (index, block) in shape.blocks.enumerated() {
      shape.deadline.spend(1)
      if index > 0 { shared = min(shared, depth(shape.blocks[index - 1].first, block.first)) }
      let over = heading < 0 ? block.owner : shape.blocks[heading].owner
      depthWithHeading.append(
        min(shared, shape.depth[Int(over)], shape.depth[Int(block.owner)]))
      let own = Self.sum(of: block)
      let tag = shape.tree[block.owner].tag
      wordsBefore.append(sum.words)
      proseBefore.append(sum.prose)
      lastHeading.append(heading)
      lastLabel.append(label)
      if block.words <= 6, block.linkWords * 2 < block.words { label = index }
      sum.add(own)
      sumBefore.append(sum)
      kinds[shape.kind[Int(block.owner)], default: PageShape.Sum()].add(own)
      copiesBefore.append(hashes[block.hash.value] ?? 0)
      hashes[block.hash.value, default: 0] += 1
      headingCues.append(cues)
      if own.prose > 0 { last = index }
      lastProse.append(last)
      if Tag.heading.contains(tag) {
        heading = index
        shared = .max
        cues |= block.cues
      }
      if tag == .h1, headline < 0 { headline = index }
      let isTitle =
        block.titleWords >= 2 && block.titleWords * 10 >= block.words * 8 && block.words < 40
      if isTitle, titleBlock < 0 { titleBlock = index }
    }
    prose = sum.prose
    nextProse = [Int](repeating: shape.blocks.count + 1000, count: shape.blocks.count)
    var next = shape.blocks.count + 1000
    for index in shape.blocks.indices.reversed() {
      if lastProse[index] == index { next = index }
      nextProse[index] = next
    }
  }

  /// Finds the lowest element that contains at least six tenths of the prose.
  private mutating func findBest() {
    var lowest: Int32 = 0
    let large = shape.nearest { shape.sums[$0].prose * 10 >= prose * 6 }
    for block in shape.blocks where block.prose > 0 {
      let node = large[Int(block.owner)]
      if shape.depth[Int(node)] > shape.depth[Int(lowest)] { lowest = node }
      if node > 0 { break }
    }
    best = lowest
  }

  private mutating func findItems() {
    var counts = HashTable<(count: Int32, words: Int32)>()
    func key(_ node: Int) -> UInt64 {
      shape.kind[node] ^ (UInt64(UInt32(shape.tree.nodes[node].parent)) &* 0x9E37_79B9_7F4A_7C15)
    }
    let nodes = shape.tree.nodes
    for index in nodes.indices.dropFirst() where shape.sums[index].words > 0 {
      let old = counts[key(index)] ?? (0, 0)
      counts.set(key(index), (old.count + 1, old.words + shape.sums[index].words))
    }
    for index in nodes.indices.dropFirst() where shape.sums[index].words > 0 {
      if let found = counts[key(index)], found.count >= 3 {
        itemOf[index] = Int32(index)
        items[index] = found
      } else {
        itemOf[index] = itemOf[Int(nodes[index].parent)]
      }
    }
  }

  func isInBest(_ block: Block) -> Bool { distanceToBest(block) == 0 }

  /// Returns the number of levels from ``best`` up to its common ancestor with the given block.
  func distanceToBest(_ block: Block) -> Int16 {
    shape.depth[Int(best)] - shape.depth[Int(withBest[Int(block.owner)])]
  }

  /// Returns the counts of the lowest element that contains the given block and the headline.
  ///
  /// It is nil if there is no headline.
  func sumWithHeadline(_ block: Block) -> PageShape.Sum? {
    withHeadline.isEmpty ? nil : shape.sums[Int(withHeadline[Int(block.owner)])]
  }

  /// Returns the counts of the lowest element with the given block and a block that repeats the
  /// title.
  ///
  /// The first block that repeats the title is used.
  func sumWithTitle(_ block: Block) -> PageShape.Sum? {
    withTitle.isEmpty ? nil : shape.sums[Int(withTitle[Int(block.owner)])]
  }

  /// Returns the depth of the lowest element that contains both given nodes.
  ///
  /// All calls for pairs of adjacent nodes together take as long as one traversal of the tree.
  private func depth(_ left: Int32, _ right: Int32) -> Int16 {
    var left = left
    var right = right
    // A parent's index is smaller than its child's.
    while left != right {
      shape.deadline.spend(1)
      if left > right { left = shape.tree[left].parent } else { right = shape.tree[right].parent }
    }
    return shape.depth[Int(max(0, left))]
  }

  func alike(_ block: Block) -> PageShape.Sum {
    kinds[shape.kind[Int(block.owner)]] ?? PageShape.Sum()
  }

  func copies(of block: Block) -> Int32 { hashes[block.hash.value] ?? 0 }

  func item(_ block: Block) -> Item {
    let node = itemOf[Int(block.owner)]
    guard node >= 0 else { return Item(node: 0, count: 0, words: 0) }
    let found = items[Int(node)]
    return Item(node: node, count: found.count, words: found.words)
  }

  /// Returns the counts over `width` blocks on either side of the given block.
  func window(_ index: Int, _ width: Int) -> PageShape.Sum {
    let from = sumBefore[max(0, index - width)]
    let to = sumBefore[min(shape.blocks.count, index + width + 1)]
    return PageShape.Sum(
      words: to.words - from.words, linkWords: to.linkWords - from.linkWords,
      prose: to.prose - from.prose)
  }
}

/// Returns the approximate base-2 logarithm of one more than the given count.
func logarithm(_ count: Int32) -> Float {
  let value = UInt32(max(0, count)) &+ 1
  // The result is linear between powers of two, which is monotone and cheap.
  let whole = 31 - value.leadingZeroBitCount
  return Float(whole) + Float(value) / Float(UInt32(1) << UInt32(whole)) - 1
}
