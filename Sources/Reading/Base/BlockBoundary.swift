/// The end of a block in both renderings of a page, as byte offsets.
struct BlockBoundary: Equatable {
  var text: Int
  var markdown: Int
}
