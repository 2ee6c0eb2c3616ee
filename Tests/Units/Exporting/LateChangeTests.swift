import Foundation
import Testing

@testable import Exporting

@Suite struct `A file that changes while its next text is written` {
  @Test func `Is not replaced, and nothing is left behind`() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("")
    let path = scratch.base + "/a.md"
    guard let folder = try Folder.base(scratch.base, isMade: false) else {
      Issue.record("no folder")
      return
    }
    try "saved since".write(toFile: path, atomically: false, encoding: .utf8)
    let isPut = try folder.place(Array("new".utf8), as: "a.md", replacing: .file(Array("old".utf8)))
    #expect(!isPut)
    #expect(try scratch.text(path) == "saved since")
    #expect(scratch.files() == ["a.md"])
    let known = Folder.Content.file(Array("saved since".utf8))
    let isKnownPut = try folder.place(Array("new".utf8), as: "a.md", replacing: known)
    #expect(isKnownPut)
    #expect(try scratch.text(path) == "new")
    let isLinkPut = try folder.place(Array("newer".utf8), as: "a.md", replacing: .link)
    #expect(!isLinkPut)
    #expect(scratch.files() == ["a.md"])
  }
}
