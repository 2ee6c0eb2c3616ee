/// The limits on the cost of one hostile document.
struct ReadLimits: Sendable {
  /// Attributes of one tag that are examined.
  var attributes = 256
  /// Bytes of attribute values that one tag may carry, and of one attribute.
  var tagBytes = 64 * 1024
  /// Open elements; deeper elements are not opened, as in Blink, but their text remains.
  var depth = 512
  /// Nodes of the tree; the rest of the document is not read.
  var nodes = 1_000_000
  /// Links in the result.
  var links = 10_000
  /// Blocks of linked data that are read, and their bytes in total.
  var linkedDataBlocks = 64
  var linkedDataBytes = 2 * 1024 * 1024
  /// Style sheets of a page that are read.
  var styleSheets = 1000
  /// Bytes of one metadata value.
  var metadataBytes = 4096
}
