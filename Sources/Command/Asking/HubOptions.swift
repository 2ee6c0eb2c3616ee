public import ArgumentParser
public import Core
public import Keys

/// Which hub is asked in place of this machine.
public struct HubOptions: ParsableArguments, Sendable {
  /// The hub's URL, or its name in the configuration.
  @Option(
    help: ArgumentHelp(
      "Ask this hub, by its URL or its name in the configuration.", valueName: "hub"),
    completion: .hubs)
  public var hub: String?

  /// The environment variable that names a hub where no option does.
  public static let variable = "AGENTPIPES_HUB"

  /// Creates options that are not yet parsed.
  public init() {}
}

extension Session {
  /// The hub that is to be asked: by the option, else by `AGENTPIPES_HUB`.
  ///
  /// ```swift
  /// let peer = try session.hub(options, HubPeer.init(named:in:keys:directories:))
  /// ```
  ///
  /// - Parameters:
  ///   - options: What the arguments say.
  ///   - make: Makes what asks, of the hub's URL or name, the configuration, the place of secrets and
  ///     that of the tool's files.
  /// - Returns: Nil where this machine is meant.
  /// - Throws: What `make` throws; `BadConfiguration`.
  public func hub<Hub>(
    _ options: HubOptions,
    _ make: (String, Settings, KeyStore, Directories) throws(Failure) -> Hub
  ) throws(Failure) -> Hub? {
    let given = environment[HubOptions.variable].flatMap { $0.isEmpty ? nil : $0 }
    guard let word = options.hub ?? given else { return nil }
    let settings = try configuration()
    return try make(word, settings, keys(settings), directories)
  }
}
