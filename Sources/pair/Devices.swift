import ArgumentParser
import Command
import CompanionClient
import Core
import HubWords

struct ListPairedDevices: Tool {
  static let configuration = verbConfiguration(
    "devices", abstract: "List the devices paired with a host")

  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host.host, host.network)
    try session.write(
      try await peer.devices().map { device in Device(device).with { $0.hub = host.url } })
  }
}

extension Device {
  /// Creates a record from the device as the host reports it.
  init(_ device: TrustedDevice) {
    self.init(id: device.id, name: device.name, scope: .companion, createdAt: device.pairedAt)
    (lastSeenAt, connectedAt) = (device.lastSeenAt, device.connectedAt)
    (auth, via) = (device.auth, device.via)
  }
}

struct RevokePaired: Tool {
  static let configuration = verbConfiguration(
    "revoke", abstract: "Revoke a device's access to a host")

  @Argument(help: "The device's id, part of its id, or name.")
  var id: String
  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host.host, host.network)
    let status: CompanionStatus
    do throws(Failure) {
      status = try await peer.revoke(id)
    } catch {
      guard [.notFound, .permissionDenied].contains(error.code) else { throw error }
      // Lists show names and parts of IDs, so both are accepted.
      let devices = try await peer.devices()
      let named = devices.filter { $0.name == id }
      let whole =
        named.count == 1 ? named[0].id : try IdPart.whole(id, among: devices.map(\.id), "device")
      guard let whole, whole != id else { throw error }
      status = try await peer.revoke(whole)
    }
    if session.isOnTerminal {
      session.diagnostics.report("revoked the access of '\(Visible.line(id))'")
    }
    try session.write([PairingStatus(status, host: host)])
  }
}
