/// Lists of media to which a style sheet or a group of rules applies.
enum MediaList {
  /// Returns `true` if an entry of the given media list applies to every screen unconditionally.
  static func isEveryScreen(_ media: Substring) -> Bool {
    media.split(separator: ",", omittingEmptySubsequences: false).contains { part in
      ["", "all", "screen", "only screen"].contains(part.trimming(" "))
    }
  }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> Substring {
    let start = drop { $0 == character }
    return start.lastIndex { $0 != character }.map { start[...$0] } ?? ""
  }
}
