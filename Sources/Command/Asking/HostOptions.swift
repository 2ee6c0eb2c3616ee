public import ArgumentParser

/// Which host that this machine paired with is asked.
public struct HostOptions: ParsableArguments, Sendable {
  /// The host's name or URL.
  @Option(
    help: ArgumentHelp(
      "Use this paired host: a name or a URL.", valueName: "host"),
    completion: .hosts)
  public var host: String?
  /// How it is reached.
  @OptionGroup public var network: NetworkOptions

  /// Creates options that are not yet parsed.
  public init() {}

  /// Refuses what is meant for a host where none is named.
  ///
  /// - Throws: `ValidationError`.
  public func validateAlone() throws {
    guard host != nil || !network.allowHTTP else {
      throw ValidationError("--allow-http needs --host.")
    }
  }
}

/// How hosts are reached.
public struct NetworkOptions: ParsableArguments, Sendable {
  /// Whether HTTP in the clear may go to any network.
  @Flag(
    name: .customLong("allow-http"),
    help: "Allow plain HTTP to public addresses.")
  public var allowHTTP = false

  /// Creates options that are not yet parsed.
  public init() {}
}
