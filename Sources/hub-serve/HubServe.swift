public import ArgumentParser
import Command
import Core
public import Hub

@main
struct HubServe: Tool {
  static let configuration = toolConfiguration(
    "hub-serve", abstract: "Serve the live stream and the API")

  @Option(help: ArgumentHelp("Where to listen.", valueName: "host:port"))
  var listen: HubPlace?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let server = try HubServer(
      at: listen ?? HubPlace(), session.directories, limits: try session.configuration().limits,
      environment: session.environment)
    try await server.run { place in session.diagnostics.say("listening on http://\(place)") }
  }
}

extension HubPlace: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
