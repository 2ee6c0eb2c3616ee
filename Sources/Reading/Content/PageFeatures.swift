import Core

/// The features of a whole page, as numbers.
struct PageFeatures {
  private(set) var values: [Float] = []

  init(_ shape: PageShape, _ metadata: Metadata) {
    let sum = shape.sums[0]
    let words = Float(max(1, sum.words))
    add(log: sum.words)
    add(log: sum.blocks)
    values.append(Float(sum.linkWords) / words)
    values.append(Float(sum.prose) / words)
    add(log: sum.headings)
    var tags = [Int32](repeating: 0, count: Tag.allCases.count)
    for (index, node) in shape.tree.nodes.enumerated() where !shape.isDropped[index] {
      tags[Int(node.tag.rawValue)] += 1
    }
    for tag in [Tag.p, .h1, .h2, .h3, .li, .tr, .td, .pre, .article, .section, .a, .br, .dt, .time]
    {
      add(log: tags[Int(tag.rawValue)])
    }
    var cueWords = [Int32](repeating: 0, count: CueWords.nameGroups)
    var around = [Int32](repeating: 0, count: BlockSurroundings.count)
    var phrases = [Int32](repeating: 0, count: CueWords.phraseGroups)
    for block in shape.blocks {
      add(block.words, shape.cues[Int(block.owner)], to: &cueWords)
      add(block.words, shape.surroundings[Int(block.first)].rawValue, to: &around)
      if block.words <= 40 { add(1, block.cues, to: &phrases) }
    }
    values.append(contentsOf: cueWords.map { Float($0) / words })
    values.append(contentsOf: around.map { Float($0) / words })
    values.append(contentsOf: phrases.map { Float($0) / Float(max(1, sum.blocks)) })
    add(bits: Self.addressCues(metadata), CueWords.nameGroups)
    add(bits: Self.kindCues(metadata), CueWords.kindGroups)
    // The class and the id of the body often name the template.
    let body = shape.tree.nodes.firstIndex { $0.tag == .body } ?? 0
    add(bits: shape.ownCues[body], CueWords.nameGroups)
  }

  private mutating func add(log value: Int32) { values.append(logarithm(value)) }

  private mutating func add(bits: UInt32, _ count: Int) {
    for bit in 0..<count { values.append(bits >> UInt32(bit) & 1 == 1 ? 1 : 0) }
  }

  private func add(_ count: Int32, _ bits: UInt32, to sums: inout [Int32]) {
    // Cues beyond the counted bits are unknown to the training.
    var rest = bits & (1 << UInt32(sums.count) - 1)
    while rest != 0 {
      sums[rest.trailingZeroBitCount] += count
      rest &= rest - 1
    }
  }

  /// Returns the cues that the path of the page's canonical address contains.
  private static func addressCues(_ metadata: Metadata) -> UInt32 {
    guard let url = metadata.facts.canonicalURL else { return 0 }
    let path = Array(url.utf8.prefix(512)).split(separator: UInt8(ascii: "/"))
    return CueWords.names.cues(inName: Array(path.dropFirst(2).joined(separator: [0x2F]))[...])
  }

  /// Returns the cues that the page types in linked data and Open Graph tags give.
  private static func kindCues(_ metadata: Metadata) -> UInt32 {
    let names =
      metadata.schemaTypes.sorted().prefix(64).map { "s" + $0 }
      + [metadata.openGraphType.map { "og" + $0 } ?? ""]
    return names.reduce(0) { cues, name in
      cues | CueWords.kinds[NameHash.of(name.lowercased().utf8.prefix(64))]
    }
  }
}
