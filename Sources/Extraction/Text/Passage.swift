/// A sentence of a text and its position.
struct Passage: Sendable, Hashable {
  /// The sentence on one line, without Markdown marks except code spans.
  var text: String
  /// The nearest heading above it.
  var heading: String?
  /// Its position among the text's sentences.
  var position: Int
}
