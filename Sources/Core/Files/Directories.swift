import Foundation

/// Where configuration, data, state and cache live.
///
/// `agentpipes/` under each of the XDG base directories; `AGENTPIPES_HOME` puts all four under one
/// folder instead, which may be relative. As their specification says, relative values are ignored.
public struct Directories: Sendable, Hashable {
  /// Holds `config.toml` and the sealed keys.
  public var config: String
  /// Holds `store.db` and `events.db`.
  public var data: String
  /// Holds locks and breadcrumbs.
  public var state: String
  /// Holds what may be thrown away.
  public var cache: String
  /// The folder under which exported files go to their project's folder.
  public var documents: String

  /// Reads the places from an environment.
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

  /// Makes a folder of ours, and those above it, readable by its owner alone.
  ///
  /// - Throws: `StorageFailed` that names the folder.
  public static func make(_ path: String) throws(Failure) {
    guard access(path, F_OK) != 0 else { return }
    let above = (path as NSString).deletingLastPathComponent
    if !above.isEmpty { try make(above) }
    guard mkdir(path, 0o700) != 0, errno != EEXIST || access(path, F_OK) != 0 else { return }
    throw PrivateFile.failed(path, to: "create the folder")
  }
}
