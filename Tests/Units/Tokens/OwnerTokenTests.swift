import Core
import Foundation
import TestSupport
import Testing
import Tokens

struct OwnerTokenTests {
  @Test func `of many hubs that start at once one makes the token`() async throws {
    let home = try Home()
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<16 { group.addTask { try OwnerToken.made(in: home.directories) } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
    #expect(try OwnerToken.existing(in: home.directories) == tokens.first)
    #expect(try home.mode(OwnerToken.path(home.directories)) == 0o600)
  }

  @Test func `there is none before a hub made one`() throws {
    let home = try Home()
    #expect(try OwnerToken.existing(in: home.directories) == nil)
  }

  @Test(arguments: [0o640, 0o604, 0o622])
  func `a file that others may read or write is refused`(mode: Int) throws {
    let home = try Home()
    _ = try OwnerToken.made(in: home.directories)
    try home.setMode(OwnerToken.path(home.directories), mode)
    let failure = #expect(throws: Failure.self) { try OwnerToken.made(in: home.directories) }
    #expect(failure?.code == .permissionDenied)
    #expect(failure?.kind == .unsafeMode)
  }

  @Test(arguments: ["", "hello", "ap1a_" + String(repeating: "A", count: 43)])
  func `a file that holds something else is no token`(text: String) throws {
    let home = try Home()
    try Directories.make(home.directories.data)
    try PrivateFile.write(Array(text.utf8), to: OwnerToken.path(home.directories))
    let failure = #expect(throws: Failure.self) { try OwnerToken.made(in: home.directories) }
    #expect(failure?.code == .storageFailed)
  }
}
