/// A sentence of a text, with its position.
struct Passage: Sendable, Hashable {
  /// The sentence on one line.
  ///
  /// Markdown marks are removed, except those of code spans.
  var text: String
  /// The nearest heading above the sentence; nil if there is none.
  var heading: String?
  /// The position of the sentence among the sentences of the text.
  var position: Int
}
