import Core
import Foundation

/// A control group of version 2, which the system can freeze with all its processes (cgroups(7)).
///
/// Unlike a stopped process, no signal continues a frozen one.
public struct ControlGroup: Sendable, Hashable {
  /// The folder at which the groups are mounted; nil if the system has none.
  private static let mount = mountPoint(
    in: Descriptor(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)).bytes(atMost: 1 << 20) ?? [])

  /// The folder of the group.
  public let folder: String

  /// Creates the group with the given folder.
  public init(folder: String) { self.folder = folder }

  /// Finds the group of the given process; nil if it has none of its own.
  public init?(of id: Int32) {
    let file = Descriptor(open("/proc/\(id)/cgroup", O_RDONLY | O_CLOEXEC))
    guard let mount = Self.mount, file.isOpen, let bytes = file.bytes(atMost: 1 << 16),
      let path = Self.path(in: bytes), path != "/"
    else { return nil }
    folder = mount + path
  }

  /// Returns the mount point in the text of `/proc/PID/mountinfo`; nil if there is none.
  static func mountPoint(in text: [UInt8]) -> String? {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let end = fields.firstIndex(of: "-"), end > 4, end + 1 < fields.count,
        fields[end + 1] == "cgroup2", fields[3] == "/"
      else { continue }
      return String(fields[4])
    }
    return nil
  }

  /// Returns the group in the text of `/proc/PID/cgroup`; nil if it is outside of the mount.
  static func path(in text: [UInt8]) -> String? {
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    guard let path = lines.first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
      !path.split(separator: "/").contains("..")
    else { return nil }
    return String(path)
  }

  /// `true` if this user owns the group and may freeze it.
  public var isOwn: Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_uid == geteuid()
      && access("\(folder)/cgroup.freeze", W_OK) == 0
  }

  /// `true` if all processes of the group are frozen.
  public var isFrozen: Bool {
    text("cgroup.events")?.split(separator: "\n").contains("frozen 1") ?? false
  }

  /// The ids of the group's processes; nil if they are unknown, or if the group has groups in it.
  public var members: Set<Int32>? {
    guard let words = text("cgroup.procs")?.split(separator: "\n"),
      let names = Descriptor.names(in: folder)
    else { return nil }
    for name in names {
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        return nil
      }
    }
    let ids = words.compactMap { Int32($0) }
    return ids.count == words.count ? Set(ids) : nil
  }

  /// Freezes or thaws the group; the processes follow soon.
  ///
  /// - Returns: `true` if the system accepted the request.
  @discardableResult
  public func set(frozen isFrozen: Bool) -> Bool {
    let file = Descriptor(
      open("\(folder)/cgroup.freeze", O_WRONLY | O_CLOEXEC | O_NOFOLLOW))
    return file.isOpen && file.write(Array((isFrozen ? "1" : "0").utf8))
  }

  private func text(_ name: String) -> String? {
    let file = Descriptor(open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC))
    guard file.isOpen, let bytes = file.bytes(atMost: 1 << 20) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
