public import Core

extension ChatStore {
  /// The largest number of characters that are shown before a match.
  private static let lead = 24
  /// The smallest number of characters that are omitted; fewer are shown.
  private static let leastOmitted = 16

  /// Returns the message's text from shortly before the first match.
  ///
  /// - Parameters:
  ///   - message: The message; if its own text does not match, its tool calls and results do.
  ///   - search: The search, as for ``search(_:in:limit:onMissing:)``.
  /// - Returns: The shortened text.
  /// - Throws: `BadUsage` if the search has no word.
  public static func excerpt(of message: Message, where search: String) throws(Failure) -> String {
    let isInText = try SearchTerms(search).match(message.text)
    return try excerpt(of: isInText ? message.text : message.searchableText, where: search)
  }

  /// Returns the text from shortly before the first match.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - search: The search, as for ``search(_:in:limit:onMissing:)``.
  /// - Returns: The shortened text, which begins with `…`; the whole text if the match is near its
  ///   beginning.
  /// - Throws: `BadUsage` if the search has no word.
  public static func excerpt(of text: String, where search: String) throws(Failure) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let place = try SearchTerms(search).place(in: words) else { return text }
    var first = place
    while first > 0,
      text.distance(from: words[first - 1].startIndex, to: words[place].startIndex) <= lead
    { first -= 1 }
    let start = words[first].startIndex
    let isNear = text.distance(from: words[0].startIndex, to: start) < leastOmitted
    return isNear ? text : "… " + text[start...]
  }
}
