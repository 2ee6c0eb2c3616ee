import Core
import Foundation
import Processes
import TestSupport
import Testing

@testable import Keys

struct SealedFileTests {
  @Test func `a secret comes back, and another stays beside it`() throws {
    let home = try Home()
    let file = SealedFile(home.directories)
    #expect(try file.names().isEmpty)
    #expect(try file.set("anthropic", "sk-one") == false)
    #expect(try file.set("openai", "sk-two é") == false)
    #expect(try file.set("anthropic", "sk-three") == true)
    let again = SealedFile(home.directories)
    #expect(try again.names() == ["anthropic", "openai"])
    #expect(try again.secret("anthropic") == "sk-three")
    #expect(try again.secret("openai") == "sk-two é")
    #expect(try again.secret("none") == nil)
    #expect(try again.set("openai", nil) == true)
    #expect(try again.set("openai", nil) == false)
    #expect(try again.names() == ["anthropic"])
  }

  @Test func `both files are their owner's alone and hold no secret in the clear`() throws {
    let home = try Home()
    _ = try SealedFile(home.directories).set("anthropic", "sk-plain-to-see")
    for name in ["keys.sealed", "seal.key"] {
      let path = "\(home.directories.config)/\(name)"
      #expect(try home.mode(path) == 0o600)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("sk-plain"))
    }
  }

  @Test(arguments: ["keys.sealed", "seal.key"], [0o640, 0o604, 0o660, 0o622])
  func `a file that others may read or write is refused`(name: String, mode: Int) throws {
    let home = try Home()
    let file = SealedFile(home.directories)
    _ = try file.set("anthropic", "sk-one")
    try home.setMode("\(home.directories.config)/\(name)", mode)
    let failure = #expect(throws: Failure.self) { try file.secret("anthropic") }
    #expect(failure?.code == .permissionDenied)
    #expect(failure?.kind == "unsafeMode")
  }

  @Test func `a link in a file's place is not followed`() throws {
    let home = try Home()
    let file = SealedFile(home.directories)
    _ = try file.set("anthropic", "sk-one")
    let path = home.directories.config + "/seal.key"
    try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: path + ".real")
    #expect(throws: Failure.self) { try file.secret("anthropic") }
  }

  @Test func `another key opens nothing`() throws {
    let home = try Home()
    let file = SealedFile(home.directories)
    _ = try file.set("anthropic", "sk-one")
    let path = home.directories.config + "/seal.key"
    try PrivateFile.write([UInt8](repeating: 7, count: 32), to: path)
    #expect(throws: Failure.self) { try file.secret("anthropic") }
    try FileManager.default.removeItem(atPath: path)
    let failure = #expect(throws: Failure.self) { try file.secret("anthropic") }
    #expect(failure?.code == .permissionDenied)
    #expect(failure?.kind == "missingKey")
  }

  @Test func `where the key is missing no second one is made`() throws {
    let home = try Home()
    let file = SealedFile(home.directories)
    _ = try file.set("anthropic", "sk-one")
    let path = home.directories.config + "/seal.key"
    let key = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    for name in ["anthropic", "openai"] {
      let failure = #expect(throws: Failure.self) { try file.set(name, "sk-two") }
      #expect(failure?.code == .permissionDenied && failure?.kind == "missingKey")
      #expect(failure?.nextStep?.contains("key-store delete") == true)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    try PrivateFile.write(Array(key), to: path)
    #expect(try file.secret("anthropic") == "sk-one")
    // Who gives the old secrets up may begin anew.
    try FileManager.default.removeItem(atPath: path)
    #expect(try file.set("anthropic", nil))
    #expect(try file.set("openai", "sk-two") == false)
    #expect(try file.secret("openai") == "sk-two")
  }

  @Test func `nothing is sealed under a key that opens none of the others`() throws {
    let home = try Home()
    let file = SealedFile(home.directories)
    _ = try file.set("anthropic", "sk-one")
    _ = try file.set("openai", "sk-two")
    let path = home.directories.config + "/seal.key"
    try PrivateFile.write([UInt8](repeating: 7, count: 32), to: path)
    let failure = #expect(throws: Failure.self) { try file.set("tavily", "sk-three") }
    #expect(failure?.code == .permissionDenied && failure?.kind == "wrongKey")
    #expect(try file.names() == ["anthropic", "openai"])
  }

  @Test func `a secret under another's name is refused`() throws {
    let home = try Home()
    let file = SealedFile(home.directories)
    _ = try file.set("anthropic", "sk-one")
    let path = home.directories.config + "/keys.sealed"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try PrivateFile.write(Array(text.replacing("anthropic", with: "openai").utf8), to: path)
    #expect(try file.names() == ["openai"])
    let failure = #expect(throws: Failure.self) { try file.secret("openai") }
    #expect(failure?.kind == "wrongKey")
  }

  @Test func `what is no file of keys is a storage failure`() throws {
    let home = try Home()
    try Directories.make(home.directories.config)
    for text in ["", "{", "[]", "{\"version\":2,\"keys\":{}}"] {
      try PrivateFile.write(Array(text.utf8), to: home.directories.config + "/keys.sealed")
      let failure = #expect(throws: Failure.self) { try SealedFile(home.directories).names() }
      #expect(failure?.code == .storageFailed)
    }
  }

  @Test func `secrets stored at once are all kept`() async throws {
    let home = try Home()
    let directories = home.directories
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask { _ = try SealedFile(directories).set("key-\(number)", "sk-\(number)") }
      }
      try await group.waitForAll()
    }
    let file = SealedFile(directories)
    for number in 0..<16 { #expect(try file.secret("key-\(number)") == "sk-\(number)") }
  }
}

struct KeyStoreTests {
  private func keys(
    _ home: Home, _ environment: [String: String] = [:], command: [String]? = nil
  ) -> KeyStore {
    // No session bus, and no secret-tool: the machine's own keyring stays out of it.
    let base = ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": home.path]
    return KeyStore(
      directories: home.directories, environment: base.merging(environment) { $1 },
      command: command)
  }

  private func find(_ keys: KeyStore, _ name: String = "anthropic") throws -> String? {
    try keys.find(name).map { "\($0.source.rawValue) \($0.secret)" }
  }

  @Test func `places are asked in their order`() throws {
    let home = try Home()
    let script = try home.file("get", "#!/bin/sh\necho \"from-command-$1\"\n", mode: 0o700)
    try FileManager.default.createDirectory(
      atPath: home.path + "/credentials", withIntermediateDirectories: false)
    _ = try home.file("credentials/anthropic.apikey", "from-credentials\n")
    let variable = ["ANTHROPIC_API_KEY": "from-environment"]
    let folder = ["CREDENTIALS_DIRECTORY": home.path + "/credentials"]
    let command = [script, "{name}"]
    #expect(try find(keys(home)) == nil)
    #expect(try keys(home).set("anthropic", to: "from-file") == .file)
    #expect(try find(keys(home)) == "file from-file")
    #expect(try find(keys(home, command: command)) == "command from-command-anthropic")
    #expect(
      try find(keys(home, folder, command: command)) == "credentials from-credentials")
    #expect(
      try find(keys(home, variable.merging(folder) { $1 }, command: command))
        == "environment from-environment")
  }

  @Test func `an empty variable, file or answer is no secret`() throws {
    let home = try Home()
    _ = try home.file("anthropic.apikey", " \n")
    let keys = keys(
      home, ["ANTHROPIC_API_KEY": "", "CREDENTIALS_DIRECTORY": home.path],
      command: ["/bin/echo", ""])
    #expect(try find(keys) == nil)
    #expect(try !keys.has("anthropic"))
  }

  @Test func `a command without an entry is asked no further`() throws {
    let home = try Home()
    _ = try keys(home).set("anthropic", to: "from-file")
    #expect(try find(keys(home, command: ["/bin/false"])) == "file from-file")
  }

  @Test func `a command that cannot be run is a wrong configuration`() throws {
    let home = try Home()
    let failure = #expect(throws: Failure.self) {
      try find(keys(home, command: [home.path + "/none"]))
    }
    #expect(failure?.code == .badConfiguration)
  }

  @Test func `a command that reads its input to the end is not waited for forever`() throws {
    let home = try Home()
    let script = try home.file("get", "#!/bin/sh\ncat >/dev/null\necho secret-value\n", mode: 0o700)
    #expect(try find(keys(home, command: [script])) == "command secret-value")
  }

  @Test func `a command's first line counts, whatever its length`() throws {
    let home = try Home()
    let script = try home.file(
      "get", "#!/bin/sh\necho first-line\nhead -c 300000 /dev/zero\n", mode: 0o700)
    let result = try ChildProcess.run([script], environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.status == 0)
    #expect(result.output.count == 300_011)
    #expect(try find(keys(home, command: [script])) == "command first-line")
  }

  @Test func `a credential's name leads nowhere else`() throws {
    let home = try Home()
    _ = try home.file("outside.apikey", "from-outside")
    let folder = home.path + "/credentials"
    try Directories.make(folder)
    let keys = keys(home, ["CREDENTIALS_DIRECTORY": folder])
    #expect(try keys.find("../outside") == nil)
  }

  @Test(arguments: ["", "A", "a b", "../a", "a/b", "é", String(repeating: "a", count: 65)])
  func `a name that cannot be one is refused`(name: String) throws {
    let home = try Home()
    let failure = #expect(throws: Failure.self) { try keys(home).set(name, to: "secret") }
    #expect(failure?.code == .badUsage)
  }

  @Test(arguments: ["", "a\nb", "a\u{0}b"])
  func `a value that cannot be one is refused`(value: String) throws {
    let home = try Home()
    let failure = #expect(throws: Failure.self) { try keys(home).set("openai", to: value) }
    #expect(failure?.code == .badInput)
  }

  @Test func `what is deleted is gone, and then not found`() throws {
    let home = try Home()
    let keys = keys(home)
    _ = try keys.set("openai", to: "sk-some-secret-0001")
    try keys.delete("openai")
    #expect(try keys.find("openai") == nil)
    let failure = #expect(throws: Failure.self) { try keys.delete("openai") }
    #expect(failure?.code == .notFound)
  }

  @Test func `a list names every key and shows none`() throws {
    let home = try Home()
    let keys = keys(home, ["OPENAI_API_KEY": "sk-openai-secret-0002"])
    _ = try keys.set("mine", to: "sk-mine-secret-00003")
    let records = try keys.list().map { try $0.get() }
    #expect(records.map(\.name) == ["mine", "openai"])
    #expect(records.map(\.source) == [.file, .environment])
    for record in records { #expect(try !record.json().contains("secret")) }
    #expect(keys.namesInEnvironment == ["openai"])
  }

  @Test func `one key that cannot be read leaves the others in the list`() throws {
    let home = try Home()
    let keys = keys(home, ["GITHUB_TOKEN": "gh-secret-of-the-environment"])
    for name in ["a", "b", "c"] { _ = try keys.set(name, to: "sk-secret-of-\(name)-000") }
    let path = home.directories.config + "/keys.sealed"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // The seals of two keys in each other's place.
    let lines = text.split(separator: "\n").map { line in
      line.replacing(/"[ab]"/) { $0.output == "\"a\"" ? "\"b\"" : "\"a\"" }
    }
    try PrivateFile.write(Array(lines.joined(separator: "\n").utf8), to: path)
    let list = try keys.list()
    #expect(list.compactMap { try? $0.get().name } == ["c", "github"])
    let failures = list.compactMap { result -> Failure? in
      if case .failure(let failure) = result { failure } else { nil }
    }
    #expect(failures.map(\.input) == ["a", "b"])
    for failure in failures {
      #expect(failure.code == .permissionDenied && failure.kind == "wrongKey")
    }
    try FileManager.default.removeItem(atPath: home.directories.config + "/seal.key")
    #expect(try keys.list().compactMap { try? $0.get().name } == ["github"])
  }

  @Test func `what is wrong with the whole sealed file is told once`() throws {
    let home = try Home()
    try Directories.make(home.directories.config)
    _ = try home.file("config/keys.sealed", "junk")
    let list = try keys(home, ["GITHUB_TOKEN": "gh-secret-of-the-environment"]).list()
    #expect(list.count == 2)
    #expect(list.compactMap { try? $0.get().name } == ["github"])
  }

  @Test(arguments: [0o400, 0o600, 0o440, 0o640, 0o404, 0o444, 0o460, 0o602, 0o666])
  func `a credential that others may read or write is refused`(mode: Int) throws {
    let home = try Home()
    let path = try home.file("anthropic.apikey", "sk-credential\n", mode: mode)
    let keys = keys(home, ["CREDENTIALS_DIRECTORY": home.path])
    // As systemd makes it for a service of another user: the list lets that one read (acl(5)).
    let isSystemd = mode == 0o440 && geteuid() == 0
    if mode & 0o077 == 0 || isSystemd {
      #expect(try find(keys) == "credentials sk-credential")
    } else {
      let failure = #expect(throws: Failure.self) { try find(keys) }
      #expect(failure?.code == .permissionDenied && failure?.kind == "unsafeMode")
      #expect(failure?.input == path)
    }
  }

  @Test(.enabled(if: geteuid() == 0), arguments: [0o400, 0o440, 0o600])
  func `a credential of another user is refused`(mode: Int) throws {
    let home = try Home()
    let path = try home.file("anthropic.apikey", "sk-credential\n", mode: mode)
    #expect(chown(path, 65_534, 0) == 0)
    let keys = keys(home, ["CREDENTIALS_DIRECTORY": home.path])
    let failure = #expect(throws: Failure.self) { try find(keys) }
    #expect(failure?.kind == "unsafeMode")
    // Of root, but for another group.
    #expect(chown(path, 0, 65_534) == 0 && chmod(path, 0o440) == 0)
    #expect(throws: Failure.self) { try find(keys) }
  }

  @Test func `a credential that is a link or a pipe is refused`() throws {
    let home = try Home()
    let file = try home.file("secret", "sk-elsewhere")
    let path = home.path + "/anthropic.apikey"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: file)
    let keys = keys(home, ["CREDENTIALS_DIRECTORY": home.path])
    #expect(throws: Failure.self) { try find(keys) }
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: Failure.self) { try find(keys) }
  }

  @Test func `of a secret at most a quarter is shown, and 8 characters`() {
    for length in 0...200 {
      let secret = String((0..<length).map { Character(UnicodeScalar(0x4E00 + $0) ?? "x") })
      let masked = KeyStore.masked(secret)
      let shown = masked.unicodeScalars.count { $0 != "…" }
      #expect(shown <= min(8, length / 4), "\(length)")
      #expect(shown == (length < 16 ? 0 : min(8, length / 4)), "\(length)")
      #expect(masked.unicodeScalars.count == shown + 1)
    }
    #expect(KeyStore.masked("sk-ant-api03-0123456789abcdefwxyz") == "sk-a…wxyz")
    #expect(KeyStore.masked("0123456789abcdef") == "01…ef")
    // What is drawn as one character may be made of many.
    let joined = String(repeating: "e\u{301}\u{302}\u{303}\u{304}", count: 20)
    #expect(KeyStore.masked(joined).unicodeScalars.count == 9)
  }

  @Test(arguments: [
    ("anthropic", "ANTHROPIC_API_KEY"), ("github", "GITHUB_TOKEN"), ("my-own", "MY_OWN_API_KEY"),
  ])
  func `a key has its usual variable`(name: String, variable: String) {
    #expect(KeyStore.variable(name) == variable)
  }
}

struct ChildProcessTests {
  @Test func `a command gets its input, its environment and nothing else`() throws {
    let result = try ChildProcess.run(
      ["/bin/sh", "-c", "cat; /usr/bin/env"], input: Array("in\n".utf8),
      environment: ["ONLY": "this"])
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "in")
    #expect(lines.contains("ONLY=this"))
    #expect(!lines.contains { $0.hasPrefix("HOME=") })
    #expect(result.status == 0)
  }

  @Test func `an exit status and a signal are told`() throws {
    #expect(try ChildProcess.run(["/bin/sh", "-c", "exit 7"], environment: [:]).status == 7)
    let killed = try ChildProcess.run(["/bin/sh", "-c", "kill -9 $$"], environment: [:])
    #expect(killed.status == 137)
  }

  @Test func `output is bounded`() throws {
    let result = try ChildProcess.run(
      ["/bin/sh", "-c", "head -c 3000000 /dev/zero"], environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.output.count <= 1 << 20)
  }
}
