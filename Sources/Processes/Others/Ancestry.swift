import Foundation

/// The processes that started this one: its parent, the parent's parent, and so on.
public struct Ancestry: Sendable {
  /// The number of processes that are followed.
  private static let most = 32
  /// The programs that start another program as a part of their own work.
  private static let shells: Set = ["ash", "bash", "dash", "fish", "ksh", "sh", "zsh"]

  /// The ancestors of this user, the parent first.
  public let members: [ProcessIdentity]
  private let parent: pid_t
  /// The number of members that are shells or the first other program.
  private let usual: Int

  /// Reads the ancestors of this process from the given table.
  public init(in table: any ProcessTable) {
    parent = getppid()
    var (members, usual) = ([ProcessIdentity](), 0)
    var next = parent
    while next > 1, members.count < Self.most, let entry = table.entry(next), !entry.hasEnded {
      let isInside = usual == members.count
      members.append(entry.identity)
      // The command of a hook is often run by a shell.
      if isInside, Self.shells.contains(entry.name) { usual = members.count }
      next = entry.parent
    }
    (self.members, self.usual) = (members, min(usual + 1, members.count))
  }

  /// Returns `true` if one of the processes up to the given one has ended.
  ///
  /// - Parameters:
  ///   - last: The last process that counts; nil for the first that is not a shell.
  ///   - table: The processes.
  /// - Returns: `true` if one has ended.
  public func hasEnded(upTo last: ProcessIdentity?, in table: any ProcessTable) -> Bool {
    // A process whose parent has ended gets another one.
    guard getppid() == parent else { return true }
    let count = last.flatMap { members.firstIndex(of: $0) }.map { $0 + 1 } ?? usual
    return members.prefix(count).contains { member in
      guard let entry = table.entry(member.id) else { return true }
      return entry.identity != member || entry.hasEnded
    }
  }
}
