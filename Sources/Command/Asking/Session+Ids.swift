public import Core
public import Storage

extension Session {
  /// The whole ids of what is known by a part of each; what nobody knows stays as it was given, since
  /// it may be yet to come.
  ///
  /// - Parameters:
  ///   - parts: What was given.
  ///   - kind: What the ids are of.
  /// - Returns: An id for each.
  /// - Throws: `BadUsage` that lists what is meant where it is several.
  public func wholeIds(
    _ parts: [String], of kind: StoredNames.Kind
  ) throws(Failure) -> [String] {
    guard !parts.isEmpty else { return [] }
    let known = StoredNames(directories).ids(kind)
    var ids: [String] = []
    for part in parts {
      ids.append(try IdPart.whole(part, among: known, kind.rawValue) ?? part)
    }
    return ids
  }
}
