/// The bounds that keep one hostile document from costing more than its size.
struct ReadLimits: Sendable {
  /// Attributes of one tag that are looked at.
  var attributes = 256
  /// Bytes of attribute values that one tag may carry, and of one attribute.
  var tagBytes = 64 * 1024
  /// Open elements; deeper ones are not opened, as in Blink, their text stays.
  var depth = 512
  /// Nodes of the tree; the rest of the document is left unread.
  var nodes = 1_000_000
  /// Links that are listed.
  var links = 10_000
  /// Blocks of linked data that are read, and bytes of all of them.
  var linkedDataBlocks = 64
  var linkedDataBytes = 2 * 1024 * 1024
  /// Style sheets of a page that are read.
  var styleSheets = 1000
  /// Bytes of one metadata value.
  var metadataBytes = 4096
}
