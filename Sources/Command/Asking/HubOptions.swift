public import ArgumentParser

/// The option that selects a hub to use instead of this machine.
public struct HubOptions: ParsableArguments, Sendable {
  /// The hub's URL, or its name in the configuration.
  @Option(
    help: ArgumentHelp(
      "Use this hub: a URL or a configured name.", valueName: "hub"),
    completion: .hubs)
  public var hub: String?

  /// Creates options that are not yet parsed.
  public init() {}
}
