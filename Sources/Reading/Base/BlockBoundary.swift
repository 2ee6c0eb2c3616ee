/// A place where a block ends in both renderings of a page, in bytes.
struct BlockBoundary: Equatable {
  var text: Int
  var markdown: Int
}
