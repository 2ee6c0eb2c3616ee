/// The first mismatch of a value with a schema.
public struct SchemaProblem: Error, Sendable, Hashable {
  /// The JSON pointer in the value; empty for the whole value.
  public var pointer: String
  /// The violated keyword, such as `required`.
  public var keyword: String
  /// A sentence about the value at the pointer: lower case, no full stop.
  public var sentence: String

  init(_ pointer: String, _ keyword: String, _ sentence: String) {
    self.pointer = pointer
    self.keyword = keyword
    self.sentence = sentence
  }

  /// The sentence after the pointer, unless it is empty.
  public var explanation: String {
    pointer.isEmpty ? sentence : "'\(pointer)' \(sentence)"
  }
}
