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
        key-store list
        key-store get openai --reveal | sed 's/^/Authorization: Bearer /' |
          curl -H @- https://api.openai.com/v1/models
      """,
    subcommands: [
      SetSecret.self, GetSecret.self, CheckSecret.self, ListSecrets.self, DeleteSecret.self,
      ImportSecrets.self, Login.self,
    ])
}

/// Surplus operands, captured because the parser's error message could repeat a secret.
struct NothingElse: ParsableArguments {
  @Argument(help: .private)
  var rest: [String] = []

  func validate() throws {
    guard rest.isEmpty else {
      throw ValidationError(
        "Too many operands: a secret is read from stdin, never from the arguments.")
    }
  }
}

/// The operand that is the name of a secret.
struct KeyName: ParsableArguments {
  @Argument(help: "The provider or service.", completion: .secrets)
  var name: String
  @OptionGroup var nothingElse: NothingElse

  func validate() throws {
    guard !SecretShape.isSecretForName(name) else {
      throw ValidationError(
        "The name looks like a secret: pass a secret on stdin.")
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
    session.reportPrecedence(of: name, keys, isStored: true)
  }
}

struct GetSecret: Tool {
  static let configuration = verbConfiguration("get", abstract: "Show a secret, masked")

  @OptionGroup var key: KeyName
  @Flag(help: "Write only the secret, unmasked.")
  var reveal = false
  @OptionGroup var common: CommonOptions

  /// Returns `false` if `--reveal` is given, even misspelt, because a script then reads the secret
  /// itself.
  static func writesRecords(given arguments: [String]) -> Bool {
    !arguments.contains { $0.hasPrefix("--r") }
  }

  func run(_ session: Session) throws(Failure) {
    let (keys, name) = (session.keys(try session.configuration()), key.name)
    guard let found = try keys.find(name) else {
      throw Failure(
        .missingAPIKey, "there is no key '\(name)'", input: name,
        nextStep: "run 'key-store set \(name)' or set \(KeyStore.variable(name))")
    }
    if reveal { return try session.output.write(text: found.secret + "\n") }
    try session.output.write(KeyRecord(name, secret: found.secret, source: found.source))
  }
}

struct ListSecrets: Tool {
  static let configuration = verbConfiguration(
    "list", abstract: "List available secrets, masked")

  @OptionGroup var nothingElse: NothingElse
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let keys = try session.keys(try session.configuration()).list()
    defer { for case .failure(let failure) in keys { session.fail(failure) } }
    try session.write(keys.compactMap { try? $0.get() })
  }
}

struct DeleteSecret: Tool {
  static let configuration = verbConfiguration("delete", abstract: "Delete a stored secret")

  @OptionGroup var key: KeyName
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let keys = session.keys(try session.configuration())
    let places = try keys.delete(key.name).map(\.words)
    session.diagnostics.report(
      "removed '\(key.name)' from \(places.joined(separator: " and from "))")
    session.reportPrecedence(of: key.name, keys, isStored: false)
  }
}

struct ImportSecrets: Tool {
  static let configuration = verbConfiguration(
    "import", abstract: "Store the secrets found in the environment")

  @Flag(help: "Read the providers' usual variables.")
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
  /// Creates a record that shows the given secret masked.
  fileprivate init(_ name: String, secret: String, source: KeySource) {
    self.init(name: name, masked: KeyStore.masked(secret), source: source)
  }
}
