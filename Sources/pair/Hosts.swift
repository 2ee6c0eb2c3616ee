import ArgumentParser
import Command
import Companion
import CompanionClient
import Core
import Signing

extension Session {
  /// The host that is asked: that of the option, the last one, or the hub of this machine.
  func peer(
    _ word: String?, _ network: NetworkOptions
  ) throws(Failure) -> (host: PairedHost, peer: CompanionPeer) {
    let book = try hosts(HostBook.init(_:keys:configured:))
    let known = try book.host(word)
    if let known, known.deviceId != nil || !HubReach.isHere(known.url) {
      return (known, try book.peer(known, allowsHTTP: network.allowHTTP))
    }
    let url = if let known { known.url } else { try ownHub() }
    return (known ?? PairedHost(name: HostBook.name(of: url), url: url), try book.own(url))
  }

  /// Where the hub of this machine is.
  func ownHub() throws(Failure) -> String {
    let settings = try configuration().serve
    let listen = settings["listen"] ?? "127.0.0.1:7878"
    let port = listen.split(separator: ":").last.map(String.init) ?? "7878"
    return "http://127.0.0.1:\(port)"
  }
}

struct ShowStatus: Tool {
  static let configuration = verbConfiguration(
    "status", abstract: "Tell whether a device is connected")

  @Argument(help: ArgumentHelp("The host, by its name or URL.", valueName: "host"))
  var host: String?
  @Flag(help: "Go on, and write each change.")
  var watch = false
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host, network)
    var last = PairingStatus(try await peer.status(), host: host)
    try session.write([last])
    while watch {
      try await session.pause(seconds: 1)
      guard let told = try await patiently(peer, session) else { continue }
      let next = PairingStatus(told, host: host)
      // Being seen is no change.
      var seen = next
      seen.connectedDevice?.lastSeenAt =
        last.connectedDevice?.lastSeenAt ?? next.connectedDevice?.lastSeenAt ?? .now
      guard seen != last else { continue }
      last = next
      try session.write([next])
    }
  }
}

extension ShowStatus {
  /// How the host stands; nil where it is away just now, which is told as long as it lasts.
  private func patiently(
    _ peer: CompanionPeer, _ session: Session
  ) async throws(Failure) -> CompanionStatus? {
    do {
      let status = try await peer.status()
      session.diagnostics.progress("")
      return status
    } catch {
      guard error.code.isRetryable else { throw error }
      session.diagnostics.progress("the host does not answer: it is asked again")
      return nil
    }
  }
}

struct ListPairedDevices: Tool {
  static let configuration = verbConfiguration(
    "devices", abstract: "List the devices that paired with a host")

  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host.host, host.network)
    try session.write(
      try await peer.devices().map { device in Device(device).with { $0.hub = host.url } })
  }
}

extension Device {
  /// A device as a host tells of it.
  init(_ told: TrustedDevice) {
    self.init(id: told.id, name: told.name, scope: .companion, createdAt: told.pairedAt)
    (lastSeenAt, connectedAt) = (told.lastSeenAt, told.connectedAt)
    (auth, via) = (told.auth, told.via)
  }
}

struct RevokePaired: Tool {
  static let configuration = verbConfiguration(
    "revoke", abstract: "Have a host let a device in no more")

  @Argument(help: "The device's id.")
  var id: String
  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host.host, host.network)
    try session.write([PairingStatus(try await peer.revoke(id), host: host)])
  }
}

struct Disconnect: Tool {
  static let configuration = verbConfiguration(
    "disconnect", abstract: "Let go of a host until this machine pairs again")

  @Argument(help: ArgumentHelp("The host, by its name or URL.", valueName: "host"))
  var host: String?
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host, network)
    try session.write([PairingStatus(try await peer.disconnect(), host: host)])
  }
}

struct ListHosts: Tool {
  static let configuration = verbConfiguration(
    "hosts", abstract: "List the hosts that this machine knows")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(try session.hosts(HostBook.init(_:keys:configured:)).hosts())
  }
}

struct ForgetHost: Tool {
  static let configuration = verbConfiguration("forget", abstract: "Forget a host")

  @Argument(help: "What it is called here.", completion: .hosts)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.hosts(HostBook.init(_:keys:configured:)).forget(name)
  }
}

extension Session {
  /// Waits.
  ///
  /// - Throws: `Interrupted`.
  func pause(seconds: Double) async throws(Failure) {
    do {
      try await Task.sleep(for: .seconds(seconds))
    } catch {
      throw Failure(.interrupted, "interrupted")
    }
  }
}
