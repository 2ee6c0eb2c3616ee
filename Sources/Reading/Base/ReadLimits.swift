/// Limits on the resources that one hostile document can use.
struct ReadLimits: Sendable {
  /// The maximum number of attributes of one tag that are examined.
  var attributes = 256
  /// The maximum number of bytes of all attribute values of one tag.
  var tagBytes = 64 * 1024
  /// The maximum number of open elements.
  ///
  /// Deeper elements are not opened, as in Blink, but their text is kept.
  var depth = 512
  /// The maximum number of nodes in the tree.
  ///
  /// The rest of the document is not read.
  var nodes = 1_000_000
  /// The maximum number of links in the result.
  var links = 10_000
  /// The maximum number of blocks of linked data that are read, and of bytes in all of them.
  var linkedDataBlocks = 64
  var linkedDataBytes = 2 * 1024 * 1024
  /// The maximum number of style sheets that are read.
  var styleSheets = 1000
  /// The maximum number of bytes of one metadata value.
  var metadataBytes = 4096
}
