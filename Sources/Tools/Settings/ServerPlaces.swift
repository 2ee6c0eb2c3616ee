import Core
import Foundation
import HTTP
import Keys
import MCP
import OAuth

/// The way from settings to servers that can be started or asked: variables and secrets are looked
/// up when a server is needed, and not before.
struct ServerPlaces: Sendable {
  /// The variables of this process that every server gets.
  private static let inherited = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"]

  let environment: [String: String]
  let directories: Directories
  let keys: KeyStore
  let client: HTTPClient
  /// Logs a person in when a call is refused, as ``OAuthAccess/logIn`` does; nil if nobody can.
  let logIn:
    (@Sendable (ServerEntry, OAuthAccess, _ challenge: String?) async throws(Failure) -> Bool)?

  /// Returns the server that the given entry describes.
  ///
  /// - Throws: `BadConfiguration` if the entry describes none, or names a variable that is not set;
  ///   `MissingAPIKey` if a secret is missing; the errors of the key store.
  func server(_ entry: ServerEntry) throws(Failure) -> MCPServer {
    if let problem = entry.problem { throw problem }
    let settings =
      entry.needsAgreement
      ? try VariableExpansion(environment).expanded(entry.settings) : entry.settings
    var server = MCPServer(name: entry.source, place: try place(entry, settings))
    if let timeout = settings.timeout { server.timeout = .seconds(min(timeout, 86_400)) }
    if let revision = settings.protocol.map(MCPRevision.init(rawValue:)) {
      guard revision.isKnown else {
        throw Failure(
          .badConfiguration,
          "'\(entry.source)' has the unknown protocol '\(Visible.line(revision.rawValue))'",
          input: entry.file)
      }
      server.revision = revision
    }
    return server
  }

  /// Returns the login of the given entry; nil if the entry is a program.
  ///
  /// - Throws: As ``server(_:)``.
  func access(_ entry: ServerEntry) throws(Failure) -> OAuthAccess? {
    let settings =
      entry.needsAgreement
      ? try VariableExpansion(environment).expanded(entry.settings) : entry.settings
    return settings.url.map { access(entry, $0) }
  }

  private func access(_ entry: ServerEntry, _ url: String) -> OAuthAccess {
    var access = OAuthAccess(
      keyName: entry.keyName, resource: url, keys: keys, directories: directories, client: client)
    if let logIn {
      access.logIn = { [access] (challenge) async throws(Failure) in
        try await logIn(entry, access, challenge)
      }
    }
    return access
  }

  private func place(
    _ entry: ServerEntry, _ settings: Settings.MCPSettings
  ) throws(Failure) -> MCPServer.Place {
    if let url = settings.url {
      let fields = try resolved(settings.headers ?? [:], entry).sorted { $0.key < $1.key }
        .map { HTTPField($0.key, $0.value) }
      // A field that the user set is the login.
      let isSet = fields.contains { $0.isNamed("authorization") }
      return .web(url, fields: fields, access: isSet ? nil : access(entry, url))
    }
    var variables = environment.filter { Self.inherited.contains($0.key) }
    variables.merge(try resolved(settings.env ?? [:], entry)) { $1 }
    return .program(settings.command ?? [], environment: variables, folder: settings.cwd)
  }

  /// Returns the given values, with the secrets that `key:NAME` names; a word may precede it, as in
  /// `Bearer key:NAME`.
  private func resolved(
    _ values: [String: String], _ entry: ServerEntry
  ) throws(Failure) -> [String: String] {
    var result: [String: String] = [:]
    for (name, value) in values {
      guard let mark = value.firstRange(of: "key:"),
        mark.lowerBound == value.startIndex || value[..<mark.lowerBound].last == " "
      else {
        if Self.isSecret(name) { Secrets.register(value) }
        result[name] = value
        continue
      }
      let key = String(value[mark.upperBound...])
      guard let found = try keys.find(key) else {
        throw Failure(
          .missingAPIKey,
          "the server '\(entry.name)' needs the key '\(Visible.line(key))', which is not stored",
          input: key, nextStep: "run 'key-store set \(Visible.line(key))'")
      }
      result[name] = value[..<mark.lowerBound] + found.secret
    }
    return result
  }

  /// `true` if the variable or field of the given name usually holds a secret.
  private static func isSecret(_ name: String) -> Bool {
    let name = name.uppercased()
    return ["KEY", "TOKEN", "SECRET", "PASSW", "AUTH", "CREDENTIAL", "COOKIE"]
      .contains { name.contains($0) }
  }
}
