/// A sentence of a text and its position.
struct Passage: Sendable, Hashable {
  /// The sentence on one line, without Markdown marks except code spans.
  var text: String
  /// The nearest heading above the sentence; nil if there is none.
  var heading: String?
  /// The position of the sentence among the sentences of the text.
  var position: Int
}
