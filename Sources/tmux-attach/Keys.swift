import ArgumentParser
import Command
import Core
import Foundation
import Keys
import Remote

struct KeyCommands: ToolGroup {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Generate and store SSH keys",
    subcommands: [
      GenerateSSHKey.self, ImportSSHKey.self, ListSSHKeys.self, ShowSSHKey.self, RemoveSSHKey.self,
    ])
}

struct GenerateSSHKey: Tool {
  static let configuration = verbConfiguration("generate", abstract: "Generate an Ed25519 key")

  @Argument(help: "The key's name.")
  var name = "default"
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.output.write(try session.storedKeys().generate(name))
  }
}

struct ImportSSHKey: Tool {
  static let configuration = verbConfiguration("import", abstract: "Import a key from a file")

  @Argument(help: "The key's name.")
  var name: String
  @Argument(help: "The private key file.", completion: .file())
  var file: String
  @Option(
    help: ArgumentHelp("Read the key's passphrase from this file.", valueName: "file"),
    completion: .file())
  var passphraseFile: String?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let key = try PrivateKey(path: file) { () throws(Failure) in
      try session.passphrase(of: file, passphraseFile)
    }
    try session.output.write(try session.storedKeys().add(key, as: name))
  }
}

struct ListSSHKeys: Tool {
  static let configuration = verbConfiguration("list", abstract: "List stored keys")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let keys = try session.storedKeys()
    var records: [KeyRecord] = []
    for name in keys.names {
      do throws(Failure) {
        records.append(try keys.record(name))
      } catch {
        session.fail(error)
      }
    }
    try session.write(records)
  }
}

struct ShowSSHKey: Tool {
  static let configuration = verbConfiguration("show", abstract: "Show a public key")

  @Argument(help: "The key's name.", completion: .storedKeys)
  var name = "default"
  @OptionGroup var common: CommonOptions

  /// Returns `false` because the output is meant for a host's `authorized_keys` file.
  static func writesRecords(given arguments: [String]) -> Bool { false }

  func run(_ session: Session) throws(Failure) {
    let record = try session.storedKeys().record(name)
    try session.output.write(text: (record.publicKey ?? "") + "\n")
  }
}

struct RemoveSSHKey: Tool {
  static let configuration = verbConfiguration("remove", abstract: "Delete a stored key")

  @Argument(help: "The key's name.", completion: .storedKeys)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.storedKeys().remove(name)
  }
}

extension CompletionKind {
  /// Shell completion with the names of the stored keys.
  fileprivate static var storedKeys: CompletionKind {
    .custom { _, _, _ in
      let environment = ProcessInfo.processInfo.environment
      let directories = Directories(environment: environment)
      return StoredKeys(
        KeyStore(directories: directories, environment: environment, command: nil), directories
      ).names
    }
  }
}
