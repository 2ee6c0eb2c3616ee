/// The first mismatch that was found between a value and a schema.
public struct SchemaProblem: Error, Sendable, Hashable {
  /// The JSON pointer to the mismatch in the value; empty if the whole value is the mismatch.
  public var pointer: String
  /// The keyword that the value violates, such as `required`.
  public var keyword: String
  /// A sentence about the value at the pointer.
  ///
  /// It is in lower case and has no full stop.
  public var sentence: String

  init(_ pointer: String, _ keyword: String, _ sentence: String) {
    self.pointer = pointer
    self.keyword = keyword
    self.sentence = sentence
  }

  /// The sentence, preceded by the pointer unless that is empty.
  public var explanation: String {
    pointer.isEmpty ? sentence : "'\(pointer)' \(sentence)"
  }
}
