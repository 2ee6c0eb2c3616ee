/// A lookup of ids by a part of the id.
public enum IdPart {
  /// The length of the shortest part that selects an id.
  ///
  /// Shorter parts would match by accident.
  public static let shortest = 4

  /// Returns the id that equals or contains the given part.
  ///
  /// - Parameters:
  ///   - part: The part to search for.
  ///   - ids: The ids to search.
  ///   - thing: The kind of object that the ids identify, in one word.
  /// - Returns: The whole id; nil if no id matches.
  /// - Throws: `BadUsage`, with the list of matches, if several ids match.
  public static func whole(
    _ part: String, among ids: some Sequence<String>, _ thing: String
  ) throws(Failure) -> String? {
    var found: [String] = []
    for id in ids {
      if id == part { return id }
      guard part.count >= shortest, id.contains(part) else { continue }
      found.append(id)
    }
    guard found.count > 1 else { return found.first }
    let shown = found.sorted().prefix(5).map { "'\($0)'" }.joined(separator: ", ")
    let more = found.count > 5 ? " and \(found.count - 5) more" : ""
    throw Failure(
      .badUsage, "'\(part)' matches several \(thing)s: \(shown)\(more)", input: part)
  }
}
