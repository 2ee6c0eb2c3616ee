public import ArgumentParser

/// The option that selects a hub in place of this machine.
public struct HubOptions: ParsableArguments, Sendable {
  /// The hub's URL, or its name in the configuration.
  @Option(
    help: ArgumentHelp(
      "Ask this hub, by its URL or its name in the configuration.", valueName: "hub"),
    completion: .hubs)
  public var hub: String?

  /// Creates options that are not yet parsed.
  public init() {}
}
