public import ArgumentParser

/// The options that select a paired host.
public struct HostOptions: ParsableArguments, Sendable {
  /// The host's name or URL.
  @Option(
    help: ArgumentHelp(
      "Use this paired host: a name or a URL.", valueName: "host"),
    completion: .hosts)
  public var host: String?
  /// The options of the connection to the host.
  @OptionGroup public var network: NetworkOptions

  /// Creates options that are not yet parsed.
  public init() {}

  /// Rejects options that require `--host` if `--host` is missing.
  ///
  /// - Throws: `ValidationError` if there is such an option.
  public func validateAlone() throws {
    guard host != nil || !network.allowHTTP else {
      throw ValidationError("--allow-http needs --host.")
    }
  }
}

/// The options of connections to hosts.
public struct NetworkOptions: ParsableArguments, Sendable {
  /// `true` if plain HTTP to public addresses is allowed.
  @Flag(
    name: .customLong("allow-http"),
    help: "Allow plain HTTP to public addresses.")
  public var allowHTTP = false

  /// Creates options that are not yet parsed.
  public init() {}
}
