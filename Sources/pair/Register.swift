import ArgumentParser
import Command
import Core
import Foundation
import HubClient

struct RegisterDevice: Tool {
  static let configuration = verbConfiguration(
    "register", abstract: "Register this machine at a hub")

  @Argument(
    help: ArgumentHelp("The hub's URL, or its name in the configuration.", valueName: "url"))
  var hub: String
  @Option(help: "What 'hub-serve register-code' showed.")
  var code: String
  @Option(help: ArgumentHelp("What this machine is called there; its own name otherwise."))
  var name: String?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let configuration = try session.configuration()
    let peer = try HubPeer(
      named: hub, in: configuration, keys: session.keys(configuration),
      directories: session.directories)
    let name = name ?? ProcessInfo.processInfo.hostName
    let id = try await peer.register(code: code, name: name)
    let device = Device(id: id, name: name, scope: nil, createdAt: .now)
    try session.write([device.with { $0.hub = peer.hub.url }])
  }
}
