public import ArgumentParser

/// The option that selects a hub to use instead of this machine.
public struct HubOptions: ParsableArguments, Sendable {
  /// The hub's URL, or its name in the configuration.
  @Option(
    help: ArgumentHelp(
      "Use this hub, or A,B: URLs or configured names.", valueName: "hub"),
    completion: .hubs)
  public var hub: String?

  /// Creates options that are not yet parsed.
  public init() {}
}
