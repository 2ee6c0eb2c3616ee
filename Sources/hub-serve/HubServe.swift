import ArgumentParser
import Command
import Core
import Hub

@main
struct HubServe: Tool {
  static let configuration = toolConfiguration(
    "hub-serve", abstract: "Serve the live stream and the API")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    throw Failure(.notFound, "not yet")
  }
}
