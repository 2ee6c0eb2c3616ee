import Foundation
import TestSupport
import Testing

@testable import Core

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
    let records = try keys.list()
    #expect(records.map(\.name) == ["mine", "openai"])
    #expect(records.map(\.source) == [.file, .environment])
    for record in records { #expect(try !record.json().contains("secret")) }
    #expect(keys.namesInEnvironment == ["openai"])
  }

  @Test(arguments: [
    ("anthropic", "ANTHROPIC_API_KEY"), ("github", "GITHUB_TOKEN"), ("my-own", "MY_OWN_API_KEY"),
  ])
  func `a key has its usual variable`(name: String, variable: String) {
    #expect(KeyStore.variable(name) == variable)
    #expect(KeyStore.isSecretVariable(variable))
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
