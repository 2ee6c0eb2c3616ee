/// The data that one page gives for training ``ContentModel``.
package struct ContentTraining: Sendable {
  /// The words of each block.
  package var texts: [String]
  /// The features of the page.
  package var page: [Float]
  /// The features of all blocks, one row for each block.
  package var values: [Float]
  /// The number of features of a block.
  package var columns: Int

  /// Reads a page as ``Reader`` does, but stops before the content is chosen.
  ///
  /// - Parameters:
  ///   - html: The page.
  ///   - options: The options, as for ``Reader/read(_:as:options:)``.
  /// - Throws: A `Failure` if the page cannot be parsed.
  package init(html: [UInt8], options: ReadOptions) throws {
    let decoded = decodeText(html, contentType: options.contentType, isHTML: true)
    let document = try Document.parse(
      decoded.bytes, options, limits: ReadLimits(), deadline: Deadline(seconds: 60))
    let shape = document.shape
    let tree = document.tree
    page = PageFeatures(shape, document.metadata).values
    var features = BlockFeatures(shape)
    values = shape.blocks.indices.flatMap { index in
      features.read(index, row: 0)
      return stride(from: 0, to: features.rows.count, by: ContentModel.lanes).map {
        features.rows[$0]
      }
    }
    columns = features.rows.count / ContentModel.lanes
    texts = shape.blocks.indices.map { index in
      let block = shape.blocks[index]
      return (block.first...block.last).lazy
        .filter { shape.blockOf[Int($0)] == index }
        .map { String(decoding: tree.bytes(of: $0), as: UTF8.self) }
        .joined(separator: "")
    }
  }
}
