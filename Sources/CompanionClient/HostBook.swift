public import Core
import Foundation
import HTTP
public import HubWords
public import Keys
import Signing
import Storage
import Tokens

/// The hosts that this machine knows, and the clients to reach them.
public struct HostBook: Sendable {
  private let directories: Directories
  private let keys: KeyStore
  /// The URLs of the configuration, by name.
  private let configured: [String: String]
  private let client = HTTPClient()

  /// Creates the list of the hosts in the store and in the configuration.
  public init(_ directories: Directories, keys: KeyStore, configured: [String: String]) {
    (self.directories, self.keys, self.configured) = (directories, keys, configured)
  }

  /// Creates the list of hosts from the environment of a tool.
  ///
  /// - Throws: `BadConfiguration`.
  public init(_ surroundings: some Surroundings) throws(Failure) {
    let settings = try surroundings.configuration()
    self.init(
      surroundings.directories, keys: surroundings.keys(settings), configured: settings.hosts)
  }

  /// Returns all hosts by name; the URLs of the configuration take precedence.
  ///
  /// - Throws: `StorageFailed`; `BadConfiguration` for an invalid URL.
  public func hosts() throws(Failure) -> [PairedHost] {
    var hosts = try Store(existingIn: directories)?.pairedHosts() ?? []
    for (name, text) in configured {
      guard let url = try? CompanionPeer.base(text) else {
        throw Failure(
          .badConfiguration, "'hosts.\(name).url' is not an http or https URL",
          input: "hosts.\(name).url")
      }
      if let index = hosts.firstIndex(where: { $0.name == name }) {
        hosts[index].url = url
      } else {
        hosts.append(PairedHost(name: name, url: url))
      }
    }
    return hosts.sorted { $0.name < $1.name }
  }

  /// Returns a host given by its name or its URL.
  ///
  /// - Parameter word: The name or URL; nil for the host that this machine paired with last.
  /// - Returns: The host; nil if no word is given and there are no hosts.
  /// - Throws: `NotFound` for an unknown name, `BadUsage` for an invalid URL.
  public func host(_ word: String?) throws(Failure) -> PairedHost? {
    let hosts = try hosts()
    guard let word else {
      return hosts.filter { $0.pairedAt != nil }.max { Self.isBefore($0, $1) } ?? hosts.first
    }
    if let host = hosts.first(where: { $0.name == word }) { return host }
    guard word.contains("://") || word.contains(".") || word.contains(":") else {
      let known = hosts.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Failure(
        .notFound,
        "there is no host '\(Visible.line(word))'"
          + (known.isEmpty ? ": run 'pair complete'" : ": known hosts are \(known)"),
        input: word)
    }
    let url = try CompanionPeer.base(word)
    return hosts.first { $0.url == url } ?? PairedHost(name: Self.name(of: url), url: url)
  }

  /// Returns the default name of a host: the authority of its URL.
  public static func name(of url: String) -> String {
    let authority = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first
    return authority.map(String.init) ?? url
  }

  /// Deletes a host from the store.
  ///
  /// - Throws: `NotFound`, also if only the configuration names the host; `StorageFailed`.
  public func forget(_ name: String) throws(Failure) {
    let store = try Store(existingIn: directories)
    if try store?.forgetHost(name) ?? false { return }
    let shown = Visible.line(ShownURL.inName(name))
    let reason =
      configured[name] == nil
      ? "there is no host '\(shown)'"
      : "the host '\(Visible.line(name))' is in the configuration: remove '[hosts.\(name)]' there"
    throw Failure(.notFound, reason, input: shown)
  }

  /// Returns a client for a host; it signs requests if the host accepts signatures.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - allowsHTTP: `true` to allow unencrypted HTTP to any network.
  /// - Returns: The client.
  /// - Throws: As `DeviceIdentity` and `CompanionPeer`; `InvalidResponse` for an invalid key id.
  public func peer(_ host: PairedHost, allowsHTTP: Bool) throws(Failure) -> CompanionPeer {
    guard host.signs == true, let id = host.deviceId else {
      return try CompanionPeer(
        host.url, allowsHTTP: allowsHTTP, pin: host.tlsKey, client: client)
    }
    guard SigningInvitation.isKeyId(id) else {
      throw Failure(
        .invalidResponse, "'\(host.url)' sent an invalid key id for this machine: pair again",
        url: host.url, input: host.name)
    }
    return try CompanionPeer(
      host.url, identity: try DeviceIdentity.existing(in: keys), keyId: id, allowsHTTP: allowsHTTP,
      pin: host.tlsKey, client: client)
  }

  /// Returns a client for the hub of this machine, with the operator's token.
  ///
  /// - Parameter url: The hub's URL; nil for the URL that the hub recorded.
  /// - Returns: The client.
  /// - Throws: As `OwnHub`, `OwnerToken` and `CompanionPeer`.
  public func own(_ url: String?) throws(Failure) -> CompanionPeer {
    let told = try OwnHub.existing(in: directories) ?? .usual
    let url = url ?? told.url
    let port = { (url: String) in URLComponents(string: url)?.port }
    return try CompanionPeer(
      url, authorization: try OwnerToken.existing(in: directories).map { "Bearer \($0)" },
      allowsHTTP: false, pin: port(url) == port(told.url) ? told.tlsKey : nil, client: client)
  }

  /// Pairs with a host and stores it.
  ///
  /// - Parameters:
  ///   - url: The host's URL.
  ///   - name: The name of the host on this machine; nil for the authority of its URL.
  ///   - code: The six digits.
  ///   - token: The token in the QR code; nil if the digits were typed.
  ///   - pin: The host's own key from the QR code; nil if certificates authenticate the host.
  ///   - deviceName: The name of this machine at the host.
  ///   - allowsHTTP: `true` to allow unencrypted HTTP to any network.
  /// - Returns: The host and the state of the connection.
  /// - Throws: As `CompanionPeer.complete`, `DeviceIdentity`, `Store`.
  public func pair(
    _ url: String, name: String?, code: String, token: String?, pin: String? = nil,
    deviceName: String, allowsHTTP: Bool
  ) async throws(Failure) -> PairingStatus {
    let url = try CompanionPeer.base(url)
    let identity = try DeviceIdentity.made(in: keys, directories)
    guard pin == nil || url.hasPrefix("https://") else {
      throw Failure(
        .badUsage, "the host of the QR code uses TLS: its URL must begin with https://", input: url)
    }
    let peer = try CompanionPeer(url, allowsHTTP: allowsHTTP, pin: pin, client: client)
    let status: CompanionStatus
    do throws(Failure) {
      status = try await peer.complete(
        .init(
          pairingCode: code, pairingToken: token, deviceName: deviceName,
          devicePublicKey: identity.publicKey))
    } catch {
      guard error.kind == .tls, pin == nil else { throw error }
      var failure = error
      failure.explanation += ", or pair with the QR code: --qr"
      throw failure
    }
    if let id = status.auth?.keyid, !SigningInvitation.isKeyId(id) {
      throw Failure(
        .invalidResponse, "'\(url)' sent an invalid key id for this machine", url: url)
    }
    var host = PairedHost(name: name ?? Self.name(of: url), url: url)
    host.deviceId = status.auth?.keyid ?? status.connectedDevice?.id
    host.signs = status.auth?.scheme == "rfc9421"
    (host.pairedAt, host.tlsKey) = (.now, pin)
    if status.connected { try Store(directories).store(host) }
    return PairingStatus(status, host: host)
  }

  private static func isBefore(_ one: PairedHost, _ other: PairedHost) -> Bool {
    (one.pairedAt?.milliseconds ?? 0) < (other.pairedAt?.milliseconds ?? 0)
  }
}

extension PairingStatus {
  /// Throws if a host accepted a code without connecting this machine.
  ///
  /// - Throws: `PermissionDenied`.
  public func requireConnected() throws(Failure) {
    guard !connected else { return }
    throw Failure(
      .permissionDenied, "the host accepted the code but did not connect this machine: start again",
      url: url)
  }

  /// Creates the status from a host's response.
  public init(_ status: CompanionStatus, host: PairedHost) {
    self.init(
      connected: status.connected, status.connectedDevice, host: host.name, url: host.url)
  }
}
