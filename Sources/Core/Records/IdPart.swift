/// An id that a person gives by a part of it.
public enum IdPart {
  /// The fewest characters that name something: with fewer much would be named by chance.
  public static let shortest = 4

  /// The id that a text names: itself, or the one that holds it.
  ///
  /// - Parameters:
  ///   - part: What was given.
  ///   - ids: What there is.
  ///   - thing: What the ids are of, in one word.
  /// - Returns: The whole id; nil where nothing is named.
  /// - Throws: `BadUsage` that lists what is meant where it is several.
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
