/// A sentence of a text, with what tells where it stood.
struct Passage: Sendable, Hashable {
  /// The sentence, on one line, its Markdown marks taken off but for code spans.
  var text: String
  /// The nearest heading above it.
  var heading: String?
  /// Its position among the text's sentences.
  var position: Int
}
