/// The first thing by which a value does not fit a schema.
public struct SchemaProblem: Error, Sendable, Hashable {
  /// Where in the value, as a JSON pointer; empty for the whole.
  public var pointer: String
  /// The keyword that is not kept, such as `required`.
  public var keyword: String
  /// What is wrong, as a sentence about the value at the pointer: lower case, no full stop.
  public var sentence: String

  init(_ pointer: String, _ keyword: String, _ sentence: String) {
    self.pointer = pointer
    self.keyword = keyword
    self.sentence = sentence
  }

  /// The sentence with its place before it, unless that is the whole value.
  public var explanation: String {
    pointer.isEmpty ? sentence : "'\(pointer)' \(sentence)"
  }
}
