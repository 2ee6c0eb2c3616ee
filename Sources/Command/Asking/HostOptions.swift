public import ArgumentParser

/// The options that select a paired host.
public struct HostOptions: ParsableArguments, Sendable {
  /// The paired host's name or URL; nil if none was given.
  @Option(
    help: ArgumentHelp(
      "Use this paired host: a name or a URL.", valueName: "host"),
    completion: .hosts)
  public var host: String?
  /// The options for the connection to the host.
  @OptionGroup public var network: NetworkOptions

  /// Creates options that are not yet parsed.
  public init() {}

  /// Throws an error if an option that requires `--host` was given without it.
  ///
  /// - Throws: `ValidationError` if there is such an option.
  public func validateAlone() throws {
    guard host != nil || !network.allowHTTP else {
      throw ValidationError("--allow-http needs --host.")
    }
  }
}

/// The options for connections to hosts.
public struct NetworkOptions: ParsableArguments, Sendable {
  /// `true` if plain HTTP may be used to public addresses.
  @Flag(
    name: .customLong("allow-http"),
    help: "Allow plain HTTP to public addresses.")
  public var allowHTTP = false

  /// Creates options that are not yet parsed.
  public init() {}
}
