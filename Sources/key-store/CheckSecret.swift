import ArgumentParser
import Command
import Core
import Keys
import Providers

/// The subcommand that asks a provider whether it accepts a key.
struct CheckSecret: Tool {
  static let configuration = verbConfiguration(
    "check", abstract: "Ask the provider whether it accepts the key")

  @OptionGroup var key: KeyName
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let configuration = try session.configuration()
    let keys = session.keys(configuration)
    let source = try keys.find(key.name)?.source.words
    let models = ModelAccess(
      configuration, session.directories, keys: keys, environment: session.environment,
      timeouts: (nil, nil, nil), retries: nil)
    // A list of models costs nothing.
    let list = try await ProviderModels(models.directory).models(of: key.name)
    let accepted = source.map { "accepts the key from \($0)" } ?? "answers without a key"
    let count = list.count == 1 ? "1 model" : "\(list.count) models"
    try session.output.write(Check("key", .ok, "'\(key.name)' \(accepted), and lists \(count)"))
  }
}

extension Session {
  /// Reports that a place which is searched before the stored secrets has a secret of this name.
  ///
  /// - Parameters:
  ///   - name: The name of the secret.
  ///   - keys: The store.
  ///   - isStored: `true` if the secret was stored; `false` if it was deleted.
  func reportPrecedence(of name: String, _ keys: KeyStore, isStored: Bool) {
    // A failure of such a place does not undo what was stored.
    guard let found = try? keys.find(name, in: [.environment, .credentials, .command]) else {
      return
    }
    let isVariable = found.source == .environment
    let place = isVariable ? KeyStore.variable(name) : found.source.words
    let remedy = isVariable ? ": unset it to use the stored secret" : ""
    diagnostics.report(
      isStored
        ? "\(place) takes precedence over the stored secret\(remedy)"
        : "'\(name)' still comes from \(place)")
  }
}
