import Core

/// The settings of an ssh configuration for one host.
///
/// Tokens in them are not yet expanded.
struct HostSettings {
  /// A value, and the line of the configuration that sets the value.
  struct Value {
    var text: String
    var place: FilePlace
  }

  var hostName: Value?
  var user: Value?
  var port: Int?
  var identityFiles: [Value] = []
  /// The path of the agent's socket, or `none`.
  var identityAgent: Value?
  /// `true` to use only those keys of the agent that are also in key files.
  var identitiesOnly: Bool?
  var hostKeyAlias: Value?
  /// The known_hosts files.
  ///
  /// They are nil if unset, and empty if the value is `none`.
  var knownHostsFiles: [Value]?
  /// The jump hosts, in order.
  ///
  /// They are nil if unset, and empty if the value is `none`.
  var jump: [Destination]?
  /// The line that sets the jump hosts.
  var jumpPlace: FilePlace?
  /// The lines with a `ProxyCommand`.
  ///
  /// Such a command is never run.
  var leftOut: [FilePlace] = []

  /// Returns the name or address to connect to, for the host that the user typed.
  ///
  /// - Throws: `BadConfiguration` if the configured name is invalid.
  func host(_ typed: String) throws(Failure) -> String {
    guard let named = hostName else { return typed }
    let host = try LocalUser.replaced(named.text, named.place, ["h": typed])
    guard NameRule.isHost(host) else {
      throw SSHConfigReader.failure(
        named.place, "'\(Visible.text(host))' is not a host name or an address")
    }
    return host
  }

  /// Applies the given entry.
  ///
  /// A value that an earlier entry set is not changed.
  mutating func apply(_ entry: SSHConfig.Entry) throws(Failure) {
    guard let text = entry.arguments.first else { return }
    let value = Value(text: text, place: entry.place)
    let isNone = text.lowercased() == "none"
    switch entry.keyword {
    case "hostname": hostName = hostName ?? value
    case "user":
      guard NameRule.isUser(text) else {
        throw SSHConfigReader.failure(entry.place, "'\(Visible.text(text))' is not a user name")
      }
      user = user ?? value
    case "port":
      guard let number = NameRule.port(text) else {
        throw SSHConfigReader.failure(
          entry.place, "the port '\(Visible.text(text))' is not a number from 1 to 65535")
      }
      port = port ?? number
    case "identityfile": identityFiles.append(value)
    case "identityagent": identityAgent = identityAgent ?? value
    case "identitiesonly":
      guard let isSet = ["yes": true, "no": false][text.lowercased()] else {
        throw SSHConfigReader.failure(entry.place, "'\(Visible.text(text))' must be yes or no")
      }
      identitiesOnly = identitiesOnly ?? isSet
    case "hostkeyalias":
      guard NameRule.isHost(text) else {
        throw SSHConfigReader.failure(
          entry.place, "'\(Visible.text(text))' cannot be used as the name of a host key")
      }
      hostKeyAlias = hostKeyAlias ?? value
    case "userknownhostsfile":
      let values = entry.arguments.map { Value(text: $0, place: entry.place) }
      knownHostsFiles = knownHostsFiles ?? (isNone ? [] : values)
    case "proxyjump":
      let hosts = isNone ? [] : try Self.hosts(entry)
      guard jump == nil else { return }
      (jump, jumpPlace) = (hosts, entry.place)
    case "proxycommand":
      // `none` means a direct connection, without jump hosts either.
      guard jump == nil else { return }
      if isNone {
        (jump, jumpPlace) = ([], entry.place)
      } else if !leftOut.contains(entry.place) {
        leftOut.append(entry.place)
      }
    default: break
    }
  }

  private static func hosts(_ entry: SSHConfig.Entry) throws(Failure) -> [Destination] {
    var hosts: [Destination] = []
    let texts = entry.arguments[0].split(separator: ",", omittingEmptySubsequences: false)
    for text in texts {
      do {
        hosts.append(try Destination(String(text)))
      } catch {
        throw SSHConfigReader.failure(entry.place, error.explanation)
      }
    }
    return hosts
  }
}
