public import Core
import Foundation
import HTTP
public import HubWords
public import Keys
import Signing
import Storage
import Tokens

/// The hosts that this machine knows.
///
/// It also creates clients for them.
public struct HostBook: Sendable {
  private let directories: Directories
  private let keys: KeyStore
  /// The URLs of the configured hosts, by name.
  private let configured: [String: String]
  private let client = HTTPClient()

  /// Creates the list of hosts from the store and the given configuration.
  public init(_ directories: Directories, keys: KeyStore, configured: [String: String]) {
    (self.directories, self.keys, self.configured) = (directories, keys, configured)
  }

  /// Creates the list of hosts from the store and the configuration of the given surroundings.
  ///
  /// - Throws: `BadConfiguration` if the configuration is invalid.
  public init(_ surroundings: some Surroundings) throws(Failure) {
    let settings = try surroundings.configuration()
    self.init(
      surroundings.directories, keys: surroundings.keys(settings), configured: settings.hosts)
  }

  /// Returns all hosts, sorted by name.
  ///
  /// A configured URL takes precedence over a stored one.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read; `BadConfiguration` if a configured URL
  ///   is invalid.
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

  /// Returns the host with the given name or URL.
  ///
  /// - Parameter word: The name or URL; nil for the host with which this machine last paired.
  /// - Returns: The host; nil if `word` is nil and there are no hosts.
  /// - Throws: `NotFound` if the name is unknown; `BadUsage` if the URL is invalid.
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
          + (known.isEmpty ? "" : ": known hosts are \(known)"),
        input: word, nextStep: known.isEmpty ? "run 'pair complete'" : nil)
    }
    let url = try CompanionPeer.base(word)
    return hosts.first { $0.url == url } ?? PairedHost(name: Self.name(of: url), url: url)
  }

  /// Returns the default name of the host at the given URL.
  ///
  /// It is the authority of the URL.
  public static func name(of url: String) -> String {
    let authority = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first
    return authority.map(String.init) ?? url
  }

  /// Deletes the host with the given name from the store.
  ///
  /// - Throws: `NotFound` if the store does not have the host, even if the configuration does;
  ///   `StorageFailed` if the store cannot be written.
  public func forget(_ name: String) throws(Failure) {
    let store = try Store(existingIn: directories)
    if try store?.forgetHost(name) ?? false { return }
    let shown = Visible.line(ShownURL.inName(name))
    guard configured[name] != nil else {
      throw Failure(.notFound, "there is no host '\(shown)'", input: shown)
    }
    throw Failure(
      .notFound, "the host '\(Visible.line(name))' is in the configuration", input: shown,
      nextStep: "remove '[hosts.\(name)]' there")
  }

  /// Returns a client for the given host.
  ///
  /// The client signs requests if the host accepts signatures.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - allowsHTTP: `true` to allow unencrypted HTTP to any network.
  /// - Returns: The client.
  /// - Throws: As `DeviceIdentity` and `CompanionPeer`; `InvalidResponse` if the host's key id is
  ///   invalid.
  public func peer(_ host: PairedHost, allowsHTTP: Bool) throws(Failure) -> CompanionPeer {
    guard host.signs == true, let id = host.deviceId else {
      return try CompanionPeer(
        host.url, allowsHTTP: allowsHTTP, pin: host.tlsKey, client: client)
    }
    guard SigningInvitation.isKeyId(id) else {
      throw Failure(
        .invalidResponse,
        "'\(host.url)' sent an invalid key id for this machine",
        url: host.url, input: host.name, nextStep: "pair this machine again")
    }
    return try CompanionPeer(
      host.url, identity: try DeviceIdentity.existing(in: keys), keyId: id, allowsHTTP: allowsHTTP,
      pin: host.tlsKey, client: client)
  }

  /// Returns a client for the hub of this machine.
  ///
  /// It uses the operator's token, but only at the URL that the hub recorded.
  ///
  /// - Parameter url: The hub's URL; nil for the recorded one.
  /// - Returns: The client.
  /// - Throws: As `OwnHub`, `OwnerToken` and `CompanionPeer`.
  public func own(_ url: String?) throws(Failure) -> CompanionPeer {
    let told = try OwnHub.existing(in: directories) ?? .usual
    let url = url ?? told.url
    let token = told.isAt(url) ? try OwnerToken.existing(in: directories) : nil
    return try CompanionPeer(
      url, authorization: token.map { "Bearer \($0)" }, allowsHTTP: false,
      pin: told.isAt(url) ? told.tlsKey : nil, client: client)
  }

  /// Pairs this machine with the host at the given URL, and stores the host.
  ///
  /// - Parameters:
  ///   - url: The host's URL.
  ///   - name: The name that the host gets on this machine; nil for the authority of its URL.
  ///   - code: The six digits of the pairing code.
  ///   - token: The token in the QR code; nil if the digits were typed.
  ///   - pin: The pin of the host's own key, from the QR code; nil if certificates authenticate the
  ///     host.
  ///   - deviceName: The name that this machine gets at the host.
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
      failure.nextStep = "\(failure.action), or pair with the QR code: --qr"
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
  /// The failure of a pairing after which the host did not connect this machine; nil if it did.
  public var refusal: Failure? {
    guard !connected else { return nil }
    return Failure(
      .permissionDenied, "the host accepted the code but did not connect this machine",
      url: url, nextStep: "start again")
  }

  /// Creates the status from the response of the given host.
  public init(_ status: CompanionStatus, host: PairedHost) {
    self.init(
      connected: status.connected, status.connectedDevice, host: host.name, url: host.url)
  }
}
