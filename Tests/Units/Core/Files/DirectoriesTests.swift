import Foundation
import TestSupport
import Testing

@testable import Core

struct DirectoriesTests {
  @Test func `each place follows its XDG variable`() {
    let places = Directories(environment: [
      "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s",
      "XDG_CACHE_HOME": "/x",
    ])
    #expect(places.config == "/c/agentpipes")
    #expect(places.data == "/d/agentpipes")
    #expect(places.state == "/s/agentpipes")
    #expect(places.cache == "/x/agentpipes")
    #expect(places.documents == "/h/Documents/AgentOS")
  }

  @Test(arguments: ["", "relative", "./x", "~/x"])
  func `a relative value is ignored`(value: String) {
    let places = Directories(environment: [
      "HOME": "/h", "XDG_CONFIG_HOME": value, "XDG_DATA_HOME": value, "XDG_STATE_HOME": value,
      "XDG_CACHE_HOME": value,
    ])
    #expect(places.config == "/h/.config/agentpipes")
    #expect(places.data == "/h/.local/share/agentpipes")
    #expect(places.state == "/h/.local/state/agentpipes")
    #expect(places.cache == "/h/.cache/agentpipes")
  }

  @Test func `one folder can hold all of them`() {
    let places = Directories(environment: [
      "HOME": "/h", "AGENTPIPES_HOME": "/a", "XDG_DATA_HOME": "/d",
    ])
    let all = [places.config, places.data, places.state, places.cache]
    #expect(all == ["/a/config", "/a/data", "/a/state", "/a/cache"])
  }

  @Test func `that one folder may be relative to the working directory`() {
    let places = Directories(environment: ["HOME": "/h", "AGENTPIPES_HOME": "here"])
    #expect(places.data == FileManager.default.currentDirectoryPath + "/here/data")
  }

  @Test func `every folder that is made is its owner's alone`() throws {
    let home = try Home()
    try Directories.make(home.path + "/a/b/c")
    for name in ["a", "a/b", "a/b/c"] { #expect(try home.mode("\(home.path)/\(name)") == 0o700) }
    try Directories.make(home.path + "/a/b/c")
  }

  @Test func `a folder made by many at once is made once`() async throws {
    let home = try Home()
    let path = home.path + "/a/b/c/d"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { try Directories.make(path) } }
      try await group.waitForAll()
    }
    #expect(try home.mode(path) == 0o700)
  }

  @Test func `a file in a folder's place is a storage failure`() throws {
    let home = try Home()
    let file = try home.file("file", "")
    let failure = #expect(throws: Failure.self) { try Directories.make(file + "/a") }
    #expect(failure?.code == .storageFailed)
    #expect(failure?.input == file + "/a")
  }
}

struct FileLockTests {
  private func isFree(_ path: String) throws -> Bool {
    switch try FileLock.ifFree(path) {
    case .some: true
    case nil: false
    }
  }

  @Test func `a second holder is refused until the first is gone`() throws {
    let home = try Home()
    let path = home.path + "/locks/one.lock"
    do {
      let lock = try FileLock.waiting(for: path)
      #expect(try !isFree(path))
      #expect(try isFree(home.path + "/locks/other.lock"))
      withExtendedLifetime(lock) {}
    }
    #expect(try isFree(path))
  }

  @Test func `a lock goes with its process, however that ends`() throws {
    let home = try Home()
    let path = home.path + "/one.lock"
    let holder = Process()
    let output = Pipe()
    holder.executableURL = URL(fileURLWithPath: "/bin/sh")
    holder.arguments = ["-c", "exec 9>\"$1\"; flock 9; echo held; read -r _", "sh", path]
    holder.standardInput = Pipe()
    holder.standardOutput = output
    try holder.run()
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    #expect(try !isFree(path))
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    #expect(try isFree(path))
  }

  @Test func `a place that cannot be written is a storage failure`() throws {
    let failure = #expect(throws: Failure.self) { try isFree("/dev/null/x.lock") }
    #expect(failure?.code == .storageFailed)
  }
}
