import Core
import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Remote

/// Which keys are tried at a host.
struct KeySearchTests {
  let home: Home

  init() throws {
    home = try Home()
    try Directories.make(home.path + "/.ssh")
  }

  private func file(_ name: String) throws -> String {
    let seed = Ed25519.makeSeed()
    let publicKey = try #require(try Ed25519.publicKey(seed: seed))
    return try home.file(name, OpenSSHKeyFile.text(seed: seed, publicKey: publicKey))
  }

  private func names(_ files: [String], named: [String] = []) throws -> [String] {
    try KeySearch(named: named, here: .ofTest(home)).keys(in: files).map(\.name)
  }

  @Test func `without any other the usual file is tried`() throws {
    #expect(try names([]) == [])
    let usual = try file(".ssh/id_ed25519")
    #expect(try names([]) == [usual])
    let own = try file("own")
    #expect(try names([own]) == [own])
  }

  @Test func `each usual file is tried, each key once, and one that is unsafe is told`() throws {
    let rsa = try file(".ssh/id_rsa")
    let ecdsa = try file(".ssh/id_ecdsa")
    #expect(try names([]) == [ecdsa, rsa])
    let text = try #require(FileManager.default.contents(atPath: rsa))
    let same = try home.file(".ssh/id_ed25519", String(decoding: text, as: UTF8.self))
    #expect(try names([]) == [same, ecdsa])
    try home.setMode(ecdsa, 0o644)
    var notes: [String] = []
    let search = KeySearch(named: [], here: .ofTest(home) { notes.append($0) })
    #expect(try search.keys(in: []).map(\.name) == [same])
    #expect(notes.count == 1 && notes[0].contains("id_ecdsa"))
  }

  @Test func `the stored keys come after those of the configuration, but not after named ones`()
    throws
  {
    let here = LocalSide.ofTest(home)
    _ = try here.storedKeys().generate("laptop")
    let own = try file("own")
    #expect(try names([own]) == [own, "laptop"])
    #expect(try names([own], named: [own]) == [own])
    #expect(try names([]) == ["laptop"])
  }

  @Test func `a file of the configuration may be missing, a named one may not`() throws {
    let missing = home.path + "/missing"
    let own = try file("own")
    #expect(try names([missing, own]) == [own])
    let failure = #expect(throws: Failure.self) { try names([missing, own], named: [missing]) }
    #expect(failure?.code == .keyUnreadable && failure?.kind == "noFile")
    let broken = try home.file("broken", "-----BEGIN OPENSSH PRIVATE KEY-----\n")
    #expect(throws: Failure.self) { try names([broken, own]) }
  }

  @Test func `a stored key that cannot be read is told, and the others are tried`() throws {
    let here = LocalSide.ofTest(home)
    _ = try here.storedKeys().generate("a")
    _ = try here.storedKeys().generate("b")
    var notes: [String] = []
    _ = try home.file("data/ssh-keys/lost.pub", "ssh-ed25519 x lost\n")
    let search = KeySearch(named: [], here: .ofTest(home) { notes.append($0) })
    #expect(try search.keys(in: []).map(\.name) == ["a", "b"])
    #expect(notes.count == 1 && notes[0].contains("'lost'"))
  }

  @Test func `a passphrase is the first line of its file, which others may not read`() throws {
    let path = try home.file("secret", "word word\nmore\n")
    #expect(try PrivateKey.passphrase(inFile: path) == "word word")
    try home.setMode(path, 0o644)
    let failure = #expect(throws: Failure.self) { try PrivateKey.passphrase(inFile: path) }
    #expect(failure?.code == .permissionDenied)
    let missing = #expect(throws: Failure.self) { try PrivateKey.passphrase(inFile: path + "x") }
    #expect(missing?.code == .keyUnreadable)
  }
}
