public import ArgumentParser
import Command
import Core
public import Hub
import Keys
import Providers

@main
struct HubServe: ToolGroup {
  static let configuration = toolConfiguration(
    "hub-serve", abstract: "Serve the live stream and the API",
    discussion: """
      Examples:
        hub-serve &
        curl -N -H "Authorization: Bearer $TOKEN" http://127.0.0.1:7878/v1/stream
        hub-serve register-code
      """,
    subcommands: [Serve.self, MakeRegisterCode.self, ListDevices.self, RevokeDevice.self],
    usual: Serve.self)
}

struct Serve: Tool {
  static let configuration = verbConfiguration("serve", abstract: "Serve, the usual command")

  @Option(help: ArgumentHelp("Where to listen; port 0 for any.", valueName: "host:port"))
  var listen: String?
  @Option(
    name: .customLong("tls-certificate"),
    help: ArgumentHelp("Speak TLS with this chain of certificates.", valueName: "file"),
    completion: .file())
  var certificate: String?
  @Option(
    name: .customLong("tls-key"),
    help: ArgumentHelp("The private key of the certificate.", valueName: "file"),
    completion: .file())
  var key: String?
  @Option(
    help: ArgumentHelp("How companions show who they are: address or strict.", valueName: "how"))
  var auth: CompanionAuth?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard listen.map({ ServeSettings.endpoint($0) != nil }) ?? true else {
      throw ValidationError("--listen needs an address and a port, such as 127.0.0.1:7878.")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--tls-certificate and --tls-key go together.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let configuration = try session.configuration()
    var settings = try ServeSettings(configuration)
    if let listen { settings.listen = listen }
    if let auth { settings.auth = auth }
    let identity = certificate.flatMap { chain in key.map { TLSIdentity(chain: chain, key: $0) } }
    let keys = session.keys(configuration)
    let models = ModelAccess(
      configuration, keys: keys, environment: session.environment, timeouts: (nil, nil, nil),
      retries: nil)
    let server = try HubServer(
      settings, session.directories, limits: configuration.limits,
      environment: session.environment, identity: identity,
      companions: CompanionModels(models, keys: keys))
    try await server.run { url in session.diagnostics.say("listening on \(url)") }
  }
}

extension CompanionAuth: ExpressibleByArgument {}
