import ArgumentParser
import Command
import Companion
import CompanionClient
import Core
import Signing

/// How hosts are reached.
struct NetworkOptions: ParsableArguments {
  @Flag(
    name: .customLong("allow-http"),
    help: "Send HTTP in the clear to addresses of the whole world, too.")
  var allowHTTP = false
}

/// Which host is asked.
struct HostOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The host, by its name or URL; otherwise the one that was paired with last.",
      valueName: "host"),
    completion: .hosts)
  var host: String?
  @OptionGroup var network: NetworkOptions
}

extension Session {
  /// The hosts that this machine knows.
  func hostBook() throws(Failure) -> HostBook {
    let configuration = try configuration()
    return HostBook(
      directories, keys: keys(configuration), configured: configuration.hosts)
  }

  /// The host that is asked: that of the option, the last one, or the hub of this machine.
  func peer(
    _ word: String?, _ network: NetworkOptions
  ) throws(Failure) -> (host: PairedHost, peer: CompanionPeer) {
    let book = try hostBook()
    if let host = try book.host(word) {
      return (host, try book.peer(host, allowsHTTP: network.allowHTTP))
    }
    let url = try ownHub()
    return (PairedHost(name: HostBook.name(of: url), url: url), try book.own(url))
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
      let next = PairingStatus(try await peer.status(), host: host)
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

struct ListPairedDevices: Tool {
  static let configuration = verbConfiguration(
    "devices", abstract: "List the devices that paired with a host")

  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host.host, host.network)
    try session.write(
      try await peer.devices().map { device in
        Device(id: device.id, name: device.name, scope: .companion, createdAt: device.pairedAt)
          .with { ($0.lastSeenAt, $0.hub) = (device.lastSeenAt, host.url) }
      })
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

  func run(_ session: Session) throws(Failure) { try session.write(try session.hostBook().hosts()) }
}

struct ForgetHost: Tool {
  static let configuration = verbConfiguration("forget", abstract: "Forget a host")

  @Argument(help: "What it is called here.", completion: .hosts)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let store = try Store(existingIn: session.directories) else {
      throw Failure(.notFound, "there is no host '\(name)'", input: name)
    }
    try store.forgetHost(name)
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
