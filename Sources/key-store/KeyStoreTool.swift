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
      Login.self,
    ])
}

/// Operands beyond those that a command has: a secret among them is not repeated by what tells that
/// there is one too many.
struct NothingElse: ParsableArguments {
  @Argument(help: .private)
  var rest: [String] = []

  func validate() throws {
    guard rest.isEmpty else {
      throw ValidationError(
        "There is an operand too many: a secret is read from stdin, never from the arguments.")
    }
  }
}

/// The one name that a command is for.
struct KeyName: ParsableArguments {
  @Argument(help: "The provider or service it is for.", completion: .secrets)
  var name: String
  @OptionGroup var nothingElse: NothingElse

  func validate() throws {
    guard !SecretShape.isSecretForName(name) else {
      throw ValidationError(
        "What stands where a name belongs looks like a secret: those are read from stdin.")
    }
  }
}

struct SetSecret: Tool {
  static let configuration = verbConfiguration(
    "set", abstract: "Store a secret read from stdin or from a hidden prompt")

  @OptionGroup var key: KeyName
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let (keys, name) = (session.keys(try session.configuration()), key.name)
    let secret = try session.secret(prompt: "Secret for '\(Visible.line(name))': ")
    let source = try keys.set(name, to: secret)
    try session.output.write(KeyRecord(name, secret: secret, source: source))
  }
}

struct GetSecret: Tool {
  static let configuration = verbConfiguration("get", abstract: "Show a secret, masked")

  @OptionGroup var key: KeyName
  @Flag(help: "Write the secret itself, and nothing else.")
  var reveal = false
  @OptionGroup var common: CommonOptions

  /// A secret is a value in somebody's script, and so is what `--reveal` misspelt leaves there.
  static func writesRecords(given arguments: [String]) -> Bool {
    !arguments.contains { $0.hasPrefix("--r") }
  }

  func run(_ session: Session) throws(Failure) {
    let (keys, name) = (session.keys(try session.configuration()), key.name)
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

  @OptionGroup var nothingElse: NothingElse
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let keys = try session.keys(try session.configuration()).list()
    try session.write(keys.compactMap { try? $0.get() })
    for case .failure(let failure) in keys { session.fail(failure) }
  }
}

struct DeleteSecret: Tool {
  static let configuration = verbConfiguration("delete", abstract: "Remove a stored secret")

  @OptionGroup var key: KeyName
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let places = try session.keys(try session.configuration()).delete(key.name).map { source in
      source == .keyring ? "the keyring" : "the sealed file"
    }
    session.diagnostics.report(
      "'\(key.name)' is removed from \(places.joined(separator: " and from "))")
  }
}

struct ImportSecrets: Tool {
  static let configuration = verbConfiguration(
    "import", abstract: "Store the secrets that the environment holds")

  @Flag(help: "Take them from the providers' usual variables.")
  var fromEnvironment = false
  @OptionGroup var nothingElse: NothingElse
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
