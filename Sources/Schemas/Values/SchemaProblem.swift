/// The first mismatch between a value and a schema.
public struct SchemaProblem: Error, Sendable, Hashable {
  /// The JSON pointer to the mismatch in the value; empty for the whole value.
  public var pointer: String
  /// The keyword that the value violates, such as `required`.
  public var keyword: String
  /// A sentence about the value at the pointer, in lower case and without a full stop.
  public var sentence: String

  init(_ pointer: String, _ keyword: String, _ sentence: String) {
    self.pointer = pointer
    self.keyword = keyword
    self.sentence = sentence
  }

  /// The pointer, unless it is empty, followed by the sentence.
  public var explanation: String {
    pointer.isEmpty ? sentence : "'\(pointer)' \(sentence)"
  }
}
