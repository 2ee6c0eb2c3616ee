public import Core

extension ChatStore {
  /// So many characters are left before what was found.
  private static let lead = 24
  /// Fewer than so many are not worth a sign that they are left out.
  private static let leastLeftOut = 16

  /// A found text from shortly before what was searched for on, where that does not stand near its
  /// beginning.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - search: What was searched for, as ``search(_:limit:)`` takes it.
  /// - Returns: The text; a shorter one begins with `…`.
  /// - Throws: `BadUsage` where there is no word to search for.
  public static func excerpt(of text: String, where search: String) throws(Failure) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let place = try SearchTerms(search).place(in: words) else { return text }
    var first = place
    while first > 0,
      text.distance(from: words[first - 1].startIndex, to: words[place].startIndex) <= lead
    { first -= 1 }
    let start = words[first].startIndex
    let isNear = text.distance(from: words[0].startIndex, to: start) < leastLeftOut
    return isNear ? text : "… " + text[start...]
  }
}
