import ArgumentParser
import Command
import Core

@main
struct HubServe: ToolGroup {
  static let configuration = toolConfiguration(
    "hub-serve", abstract: "Serve the live stream and the API",
    subcommands: [Serve.self, MakeRegisterCode.self, ListDevices.self, RevokeDevice.self],
    usual: Serve.self)
}

struct Serve: Tool {
  static let configuration = verbConfiguration("serve", abstract: "Serve, the usual command")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    throw Failure(.notFound, "not yet")
  }
}
