import Core
import TestSupport
import Testing

@testable import Processes

/// Control groups of version 2.
struct ControlGroupTests {
  @Test(arguments: [
    ("36 25 0:31 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "/sys/fs/cgroup"),
    (
      """
      24 1 8:1 / / rw - ext4 /dev/sda rw
      30 24 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
      31 24 0:27 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw
      """, "/sys/fs/cgroup/unified"
    ),
    // The groups above that of a container cannot be reached by its path.
    ("36 25 0:31 /other /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", nil), ("", nil), ("x - y", nil),
  ])
  func `the mount is found among others`(_ text: String, _ mount: String?) {
    #expect(ControlGroup.mountPoint(in: Array(text.utf8)) == mount)
  }

  @Test(arguments: [
    ("0::/user.slice/run-1.scope\n", "/user.slice/run-1.scope"),
    ("9:name=systemd:/x\n4:memory:/y\n0::/\n", "/"), ("0::/../other\n", nil),
    ("4:memory:/y\n", nil), ("", nil),
  ])
  func `only a group of version 2 below the mount is one`(_ text: String, _ path: String?) {
    #expect(ControlGroup.path(in: Array(text.utf8)) == path)
  }

  @Test func `a group with groups in it has no known members`() throws {
    let home = try Home()
    let group = ControlGroup(folder: home.path + "/group")
    #expect(group.members == nil && !group.isFrozen && !group.isOwn && !group.set(frozen: true))
    try Directories.make(home.path + "/group")
    _ = try home.file("group/cgroup.procs", "70\n71\n")
    #expect(group.members == [70, 71])
    _ = try home.file("group/cgroup.events", "populated 1\nfrozen 1\n")
    _ = try home.file("group/cgroup.freeze", "0")
    #expect(group.isFrozen && group.isOwn)
    _ = try home.file("group/cgroup.procs", "70\nx\n")
    #expect(group.members == nil)
    _ = try home.file("group/cgroup.procs", "70\n")
    try Directories.make(home.path + "/group/inner")
    #expect(group.members == nil)
  }
}
