import Foundation
import TestSupport
import Testing

@testable import Core

struct PrivateFileTests {
  private let home: Home
  private var path: String { home.path + "/secret" }

  init() throws { home = try Home() }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: home.path)) ?? []).sorted()
  }

  private func write(_ text: String) throws { try PrivateFile.write(Array(text.utf8), to: path) }

  private func read() throws -> String? {
    try PrivateFile.read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `what a killed process of this process's number left is no hindrance`() throws {
    let old = try home.file("secret.\(getpid()).tmp", "half")
    try write("whole")
    #expect(try read() == "whole")
    // A name that was foreseen once may be anybody's.
    #expect(FileManager.default.contents(atPath: old) == Data("half".utf8))
  }

  @Test func `what killed processes left is removed, what others write is not`() throws {
    let left = try home.file(".agentpipes-0123456789abcdef.tmp", "half")
    let busy = try home.file(".agentpipes-fedcba9876543210.tmp", "half")
    let stranger = try home.file("agentpipes-0123456789abcdef.tmp", "theirs")
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/.agentpipes-1.tmp", withDestinationPath: stranger)
    let writer = open(busy, O_RDONLY)
    defer { close(writer) }
    #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
    try write("one")
    try write("two")
    #expect(try read() == "two")
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(
      names == [
        ".agentpipes-1.tmp", ".agentpipes-fedcba9876543210.tmp",
        "agentpipes-0123456789abcdef.tmp", "secret",
      ])
    #expect(try home.mode(path) == 0o600)
  }

  @Test func `of writers at once each writes the whole file`() async throws {
    let path = path
    let texts = (0..<8).map { String(repeating: "\($0)", count: 10_000) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for text in texts {
        group.addTask {
          for _ in 0..<20 { try PrivateFile.write(Array(text.utf8), to: path) }
        }
      }
      try await group.waitForAll()
    }
    #expect(texts.contains(try read() ?? ""))
    #expect(names == ["secret"])
  }
}
