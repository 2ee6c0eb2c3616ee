import ArgumentParser
import Command
import Core
import Foundation
import HubClient

struct RegisterDevice: Tool {
  static let configuration = verbConfiguration(
    "register", abstract: "Register this machine with a hub")

  @Argument(
    help: ArgumentHelp("The hub: a URL or a configured name.", valueName: "url"))
  var hub: String
  @Option(help: "The code from 'hub-serve register-code'.")
  var code: String
  @Option(help: ArgumentHelp("A name for this machine; its host name by default."))
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
