public import Foundation

/// The processes that come from this one, whatever group or session they are in by now.
///
/// Rests on proc(5): orphans among them are this process's children (prctl(2),
/// `PR_SET_CHILD_SUBREAPER`). Where there is no such thing, none are found.
public enum Descendants {
  /// A process as proc(5) tells of it.
  struct Member: Hashable {
    let id: pid_t
    let parent: pid_t
    let group: pid_t
    let hasEnded: Bool
    let isStopped: Bool

    /// Reads `/proc/PID/stat`; nil where there is no such process.
    init?(_ id: pid_t) {
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/stat") else {
        return nil
      }
      // The name of the program, which may hold anything, ends with the last bracket.
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 2, let parent = pid_t(fields[1]),
        let group = pid_t(fields[2])
      else { return nil }
      (self.id, self.parent, self.group) = (id, parent, group)
      hasEnded = fields[0] == "Z" || fields[0] == "X"
      isStopped = fields[0] == "T"
    }
  }

  private static var all: [Member] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.compactMap { Member($0) }
  }

  /// Returns `true` if a process of the group is stopped.
  public static func hasStopped(inGroup group: pid_t) -> Bool {
    all.contains { $0.group == group && $0.isStopped }
  }

  /// Those that live, but for a group and for one process with what comes from it.
  public static func outside(group: pid_t, butFor excluded: pid_t) -> [pid_t] {
    let children = Dictionary(grouping: all, by: \.parent)
    var found: [pid_t] = []
    var open = [getpid()]
    while let next = open.popLast() {
      for child in children[next] ?? [] where child.id != excluded {
        open.append(child.id)
        if child.group != group, !child.hasEnded { found.append(child.id) }
      }
    }
    return found
  }
}
