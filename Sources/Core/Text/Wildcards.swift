/// A pattern in which `*` stands for any characters and `?` for one.
public struct Wildcards: Sendable, Hashable {
  private let scalars: [Unicode.Scalar]

  /// Creates a pattern from its text.
  public init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Returns `true` if the whole text matches.
  ///
  /// Characters are compared by their code points. The time is at most the product of both lengths.
  public func matches(_ text: String) -> Bool {
    let text = Array(text.unicodeScalars)
    var (at, place) = (0, 0)
    // The last star, and the place up to which it stands for characters.
    var star: (at: Int, place: Int)?
    while place < text.count {
      if at < scalars.count, scalars[at] == "*" {
        star = (at, place)
        at += 1
      } else if at < scalars.count, scalars[at] == "?" || scalars[at] == text[place] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        star = (last.at, last.place + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return scalars[at...].allSatisfy { $0 == "*" }
  }
}
