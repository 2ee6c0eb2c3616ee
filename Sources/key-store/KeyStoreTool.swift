import ArgumentParser
import Command
import Core
import Keys

@main
struct KeyStoreTool: ToolGroup {
  static let configuration = toolConfiguration(
    "key-store", abstract: "Keep secrets in the system's keyring",
    discussion: """
      Examples:
        key-store set anthropic < key.txt
        curl -H "Authorization: Bearer $(key-store get openai --reveal)" …
      """,
    subcommands: [
      SetSecret.self, GetSecret.self, ListSecrets.self, DeleteSecret.self, ImportSecrets.self,
    ])
}

struct SetSecret: Tool {
  static let configuration = verbConfiguration(
    "set", abstract: "Store a secret read from stdin or from a hidden prompt")

  @Argument(help: "The provider or service it is for.", completion: .secrets)
  var name: String
  // A secret among the arguments would be repeated by what tells that there is one too many.
  @Argument(help: .private)
  var rest: [String] = []
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard rest.isEmpty else {
      throw ValidationError("One name is enough: the secret is read from stdin.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    let keys = session.keys(try session.configuration())
    let secret = try session.secret(prompt: "Secret for '\(Visible.line(name))': ")
    let source = try keys.set(name, to: secret)
    try session.output.write(KeyRecord(name, secret: secret, source: source))
  }
}

struct GetSecret: Tool {
  static let configuration = verbConfiguration("get", abstract: "Show a secret, masked")

  @Argument(help: "The provider or service it is for.", completion: .secrets)
  var name: String
  @Flag(help: "Write the secret itself, and nothing else.")
  var reveal = false
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let keys = session.keys(try session.configuration())
    guard let found = try keys.find(name) else {
      throw Failure(
        .missingAPIKey,
        "no key '\(name)' is stored; run 'key-store set \(name)' or set \(KeyStore.variable(name))",
        input: name)
    }
    if reveal { return try session.output.write(text: found.secret + "\n") }
    try session.output.write(KeyRecord(name, secret: found.secret, source: found.source))
  }
}

struct ListSecrets: Tool {
  static let configuration = verbConfiguration(
    "list", abstract: "List the secrets that can be found, masked")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    for key in try session.keys(try session.configuration()).list() {
      switch key {
      case .success(let record): try session.output.write(record)
      case .failure(let failure): session.fail(failure)
      }
    }
  }
}

struct DeleteSecret: Tool {
  static let configuration = verbConfiguration("delete", abstract: "Remove a stored secret")

  @Argument(help: "The provider or service it is for.", completion: .secrets)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.keys(try session.configuration()).delete(name)
  }
}

struct ImportSecrets: Tool {
  static let configuration = verbConfiguration(
    "import", abstract: "Store the secrets that the environment holds")

  @Flag(help: "Take them from the providers' usual variables.")
  var fromEnvironment = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard fromEnvironment else { throw ValidationError("Missing '--from-environment'.") }
  }

  func run(_ session: Session) throws(Failure) {
    let keys = session.keys(try session.configuration())
    for name in keys.namesInEnvironment {
      guard let found = try keys.find(name) else { continue }
      let source = try keys.set(name, to: found.secret)
      try session.output.write(KeyRecord(name, secret: found.secret, source: source))
    }
  }
}

extension KeyRecord {
  /// The record of a secret, masked.
  fileprivate init(_ name: String, secret: String, source: KeySource) {
    self.init(name: name, masked: KeyStore.masked(secret), source: source)
  }
}
