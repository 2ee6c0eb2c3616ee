public import Foundation

/// The descendants of this process, in any group or session.
///
/// They are read from proc(5). Orphans are included, because this process adopts them (prctl(2),
/// `PR_SET_CHILD_SUBREAPER`). On systems that lack these features, no descendants are found.
public enum Descendants {
  /// A process as described by proc(5).
  struct Member: Hashable {
    let id: pid_t
    let parent: pid_t
    let group: pid_t
    let hasEnded: Bool
    let isStopped: Bool
    /// `true` if the process has not called execve(2) since it was forked.
    let isStarting: Bool

    /// Reads `/proc/PID/stat` of the given process; nil if the process does not exist.
    init?(_ id: pid_t) {
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/stat") else {
        return nil
      }
      // The program's name may contain any character; it ends at the last bracket.
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 6, let parent = pid_t(fields[1]),
        let group = pid_t(fields[2]), let flags = UInt64(fields[6])
      else { return nil }
      (self.id, self.parent, self.group) = (id, parent, group)
      hasEnded = fields[0] == "Z" || fields[0] == "X"
      isStopped = fields[0] == "T"
      // PF_FORKNOEXEC of the kernel.
      isStarting = flags & 0x40 != 0
    }
  }

  private static var all: [Member] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.compactMap { Member($0) }
  }

  /// Returns `true` if at least one process of the given group is stopped.
  public static func hasStopped(inGroup group: pid_t) -> Bool {
    all.contains { $0.group == group && $0.isStopped }
  }

  /// Continues the stopped children of the given process that are in the given group and have not
  /// called execve(2) yet.
  ///
  /// - Returns: `true` if there were any.
  public static func continueStarting(by parent: pid_t, inGroup group: pid_t) -> Bool {
    let stopped = all.filter {
      $0.parent == parent && $0.group == group && $0.isStopped && $0.isStarting
    }
    for member in stopped { kill(member.id, SIGCONT) }
    return !stopped.isEmpty
  }

  /// Returns `true` if a process of the given group is alive.
  static func isAlive(group: pid_t) -> Bool {
    all.contains { $0.group == group && !$0.hasEnded }
  }

  /// Returns the live descendants outside of the given group, without the excluded process and its
  /// descendants.
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
