/// What a training of ``ContentModel`` needs of a page.
package struct ContentTraining: Sendable {
  /// The words of each block.
  package var texts: [String]
  /// The features of each block, row after row.
  package var values: [Float]
  /// How many features a row has.
  package var columns: Int

  /// Reads a page as ``Reader`` does, up to the choice of its content.
  ///
  /// - Parameters:
  ///   - html: The page.
  ///   - options: As of ``Reader/read(html:options:)``.
  /// - Throws: A `Failure` when the page cannot be parsed.
  package init(html: [UInt8], options: ReadOptions) throws {
    let limits = ReadLimits()
    let decoded = decodeText(html, contentType: options.contentType, isHTML: true)
    let scan = MarkupScanner.scan(decoded.bytes, limits: limits)
    let tree = try TreeBuilder.build(
      scan.markup, limits: limits, deadline: Deadline(seconds: 60)
    ).tree
    let metadata = Metadata(tree, limits: limits, resolver: LinkResolver(base: options.baseURL))
    let shape = PageShape(tree, Visibility(tree), title: metadata.titleWords)
    let features = BlockFeatures(shape, page: PageFeatures(shape, metadata).values)
    values = features.values
    columns = features.columns
    texts = shape.blocks.indices.map { index in
      let block = shape.blocks[index]
      return (block.first...block.last).lazy
        .filter { shape.blockOf[Int($0)] == index }
        .map { String(decoding: tree.bytes(of: $0), as: UTF8.self) }
        .joined(separator: "")
    }
  }
}

extension Metadata {
  /// The words of the title, by the hash that ``Word`` gives them.
  var titleWords: Set<UInt64> {
    var words: Set<UInt64> = []
    Array((title ?? "").utf8)[...].forEachWord { word in
      if let word { words.insert(Word(word).hash) }
    }
    return words
  }
}
