import ArgumentParser
import Command
import Companion
import CompanionClient
import Core
import Signing

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
