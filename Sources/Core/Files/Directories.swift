import Foundation

/// The folders for configuration, data, state and cache.
///
/// Each is named `agentpipes` and lies under an XDG base directory. If `AGENTPIPES_HOME` is set,
/// all four lie under that folder instead; it may be relative. As the XDG specification requires,
/// relative XDG values are ignored.
public struct Directories: Sendable, Hashable {
  /// The folder of `config.toml` and the sealed keys.
  public var config: String
  /// The folder of `store.db` and `events.db`.
  public var data: String
  /// The folder of locks and breadcrumbs.
  public var state: String
  /// The folder of files that may be deleted at any time.
  public var cache: String
  /// The folder that holds the project folders of exported files.
  public var documents: String

  /// Creates the paths from the given environment variables.
  public init(environment: [String: String]) {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = absolute("HOME") ?? NSHomeDirectory()
    documents = home + "/Documents/AgentOS"
    if let named = environment["AGENTPIPES_HOME"], !named.isEmpty {
      let base =
        named.hasPrefix("/") ? named : FileManager.default.currentDirectoryPath + "/" + named
      (config, data) = (base + "/config", base + "/data")
      (state, cache) = (base + "/state", base + "/cache")
    } else {
      config = (absolute("XDG_CONFIG_HOME") ?? home + "/.config") + "/agentpipes"
      data = (absolute("XDG_DATA_HOME") ?? home + "/.local/share") + "/agentpipes"
      state = (absolute("XDG_STATE_HOME") ?? home + "/.local/state") + "/agentpipes"
      cache = (absolute("XDG_CACHE_HOME") ?? home + "/.cache") + "/agentpipes"
    }
  }

  /// Creates the folder at the given path and its missing parents, accessible to the owner only.
  ///
  /// - Throws: `StorageFailed` if the folder cannot be created.
  public static func make(_ path: String) throws(Failure) {
    guard access(path, F_OK) != 0 else { return }
    let above = (path as NSString).deletingLastPathComponent
    if !above.isEmpty { try make(above) }
    guard mkdir(path, 0o700) != 0, errno != EEXIST || access(path, F_OK) != 0 else { return }
    throw PrivateFile.failed(path, to: "create the folder")
  }
}
