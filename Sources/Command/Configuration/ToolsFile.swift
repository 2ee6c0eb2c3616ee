public import Core
import TOML

/// The file `tools.toml`, which `tool-call` writes: servers of the Model Context Protocol.
///
/// It is beside `config.toml`, which no tool writes and which takes precedence.
public struct ToolsFile: Sendable {
  private let path: String
  private let lock: String
  private let own: String

  init(_ directories: Directories) {
    path = directories.config + "/tools.toml"
    own = directories.config + "/config.toml"
    lock = directories.state + "/tools.lock"
  }

  /// Returns the given configuration, completed with the servers of this file.
  func completing(
    _ configuration: Settings, reportsUnknown: Bool = false
  ) throws(Failure) -> Settings {
    guard let added = try ConfigurationFile.read(path, reportsUnknown: reportsUnknown)
    else { return configuration }
    var all = configuration
    all.mcp.merge(added.mcp) { own, _ in own }
    return all
  }

  /// Adds the given servers, or replaces their descriptions.
  ///
  /// - Throws: `Conflict` if `config.toml` describes one of them; `StorageFailed` if the file
  ///   cannot be written; the errors of reading the files.
  public func add(_ servers: [String: Settings.MCPSettings]) throws(Failure) {
    for name in servers.keys.sorted() { try refuseOwn(name) }
    try change { (file) throws(Failure) in file.mcp.merge(servers) { $1 } }
  }

  /// Removes the given server.
  ///
  /// - Returns: The removed server.
  /// - Throws: `NotFound` if the server was not added; otherwise as ``add(_:)``.
  @discardableResult
  public func remove(_ name: String) throws(Failure) -> Settings.MCPSettings {
    try refuseOwn(name)
    var removed: Settings.MCPSettings?
    try change { (file) throws(Failure) in removed = file.mcp.removeValue(forKey: name) }
    guard let removed else {
      throw Failure(
        .notFound, "there is no added server '\(Visible.line(name))'", kind: .addedServer,
        input: name)
    }
    return removed
  }

  private func refuseOwn(_ name: String) throws(Failure) {
    guard try ConfigurationFile.read(own)?.mcp[name] != nil else { return }
    throw Failure(
      .conflict, "the server '\(name)' is described in '\(own)'",
      kind: .addedServer, input: name, nextStep: "change it there")
  }

  /// Reads the file, applies the given change, and writes the file back while holding the lock.
  private func change(_ change: (inout Settings) throws(Failure) -> Void) throws(Failure) {
    try WrittenConfiguration.change(path, lockedBy: lock, as: Self.text, change)
  }

  /// Returns the content of the file as TOML, with servers sorted by name.
  private static func text(_ settings: Settings) -> String {
    var lines = ["# Written by tool-call(1); config.toml goes first."]
    for (name, server) in settings.mcp.sorted(by: { $0.key < $1.key }) {
      let table = "mcp.\(TOMLWriter.string(name))"
      lines += ["", "[\(table)]"] + self.lines(server)
      for (member, words) in [("env", server.env), ("headers", server.headers)] {
        guard let words, !words.isEmpty else { continue }
        lines += ["", "[\(table).\(member)]"]
        lines += words.sorted { $0.key < $1.key }
          .map { "\(TOMLWriter.string($0.key)) = \(TOMLWriter.string($0.value))" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the settings of the given server except its tables, as lines of TOML.
  private static func lines(_ server: Settings.MCPSettings) -> [String] {
    let lists = [("command", server.command), ("repeatable", server.repeatable)]
    let texts = [
      ("cwd", server.cwd), ("url", server.url), ("protocol", server.protocol),
      ("client_id", server.clientId), ("from", server.isImported ? "import" : nil),
    ]
    return lists.compactMap { key, list in list.map { "\(key) = \(TOMLWriter.strings($0))" } }
      + texts.compactMap { key, text in text.map { "\(key) = \(TOMLWriter.string($0))" } }
      + (server.timeout.map { ["timeout = \($0)"] } ?? [])
  }
}

extension FailureKind {
  /// The kind of failures about a server in `tools.toml`.
  public static let addedServer = Self(rawValue: "addedServer")
}
