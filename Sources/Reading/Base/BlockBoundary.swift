/// The end of a block, as its byte offset in the text and in the Markdown of a page.
struct BlockBoundary: Equatable {
  var text: Int
  var markdown: Int
}
