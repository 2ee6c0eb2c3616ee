public import ArgumentParser
import Command
import Core
public import Hub
import Keys
import Processes
import Providers
import Pushing

@main
struct HubServe: ToolGroup {
  static let configuration = toolConfiguration(
    "hub-serve", abstract: "Serve the live stream and the API",
    discussion: """
      Examples:
        hub-serve
        hub-serve register-code --name laptop
        hub-serve devices | jq -r .name
      """,
    subcommands: [
      Serve.self, MakeRegisterCode.self, ListDevices.self, RevokeDevice.self, MigrateRecords.self,
    ],
    usual: Serve.self)
}

struct Serve: Tool {
  static let configuration = verbConfiguration("serve", abstract: "Start the server")

  @Option(
    help: ArgumentHelp("Listen on this address; port 0 picks a free port.", valueName: "host:port"))
  var listen: String?
  @Option(
    name: .customLong("tls-certificate"),
    help: ArgumentHelp("Serve TLS with this certificate chain.", valueName: "file"),
    completion: .file())
  var certificate: String?
  @Option(
    name: .customLong("tls-key"),
    help: ArgumentHelp("The private key of the certificate.", valueName: "file"),
    completion: .file())
  var key: String?
  @Flag(help: "Serve a page for browsers, which 'pair page' signs in.")
  var page = false
  @Option(
    help: ArgumentHelp("How companions authenticate.", valueName: "how"))
  var auth: CompanionAuth?
  @Option(help: ArgumentHelp("Keep at most this many events.", valueName: "count"))
  var keepEvents: Int?
  @Option(help: ArgumentHelp("Keep at most this many bytes of events.", valueName: "bytes"))
  var keepBytes: Int?
  @Option(help: ArgumentHelp("Keep events for this many days.", valueName: "days"))
  var keepDays: Int?
  @Option(help: ArgumentHelp("Forward events to this URL as OTLP/JSON.", valueName: "url"))
  var otlp: String?
  @Option(
    help: ArgumentHelp("Receive OTLP over gRPC on this address.", valueName: "host:port"))
  var otlpListen: String?
  @OptionGroup var shared: RecordsOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard listen.map({ ServeSettings.endpoint($0) != nil }) ?? true else {
      throw ValidationError("--listen needs an address and a port, such as 127.0.0.1:7878.")
    }
    guard otlpListen.map({ ServeSettings.endpoint($0) != nil }) ?? true else {
      throw ValidationError("--otlp-listen needs an address and a port, such as 127.0.0.1:4317.")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--tls-certificate and --tls-key go together.")
    }
    for (name, value) in [("events", keepEvents), ("bytes", keepBytes), ("days", keepDays)] {
      guard value.map({ $0 > 0 }) ?? true else {
        throw ValidationError("--keep-\(name) must be above 0.")
      }
    }
  }

  func run(_ session: Session) async throws(Failure) {
    ThisProcess.returnMemory()
    let configuration = try session.configuration()
    let settings = try settings(configuration)
    let identity = certificate.flatMap { chain in key.map { TLSIdentity(chain: chain, key: $0) } }
    let collector = try otlp.map { (url) throws(Failure) in
      try session.collector(url, configuration)
    }
    let keys = session.keys(configuration)
    let models = ModelAccess(
      configuration, session.directories, keys: keys, environment: session.environment,
      timeouts: (nil, nil, nil),
      retries: nil)
    let server = try HubServer(
      settings, session.directories, records: session.records(shared),
      limits: configuration.limits, environment: session.environment, identity: identity,
      collector: collector,
      companions: CompanionModels(
        models, keys: keys, offering: session.offering(configuration.servedTools)),
      pushKey: settings.hasPage ? session.pushKey(keys) : nil, report: session.report)
    try await server.run { url in session.diagnostics.report("listening on \(url)") }
  }
}

extension Serve {
  /// Returns the settings of the configuration, which the options override.
  private func settings(_ configuration: Settings) throws(Failure) -> ServeSettings {
    var settings = try ServeSettings(configuration)
    settings.listen = listen ?? settings.listen
    settings.otlpListen = otlpListen ?? settings.otlpListen
    settings.auth = auth ?? settings.auth
    settings.hasPage = page || settings.hasPage
    settings.keepEvents = keepEvents ?? settings.keepEvents
    settings.keepBytes = keepBytes ?? settings.keepBytes
    settings.keepDays = keepDays ?? settings.keepDays
    return settings
  }
}

extension Session {
  /// Returns the public key for notifications; nil if there can be none, which is reported.
  fileprivate func pushKey(_ keys: KeyStore) -> String? {
    do throws(Failure) {
      return try VAPIDKey(madeIn: keys).publicKey
    } catch {
      diagnostics.report("browsers cannot be notified: \(error.explanation)")
      return nil
    }
  }
}

extension CompanionAuth: ExpressibleByArgument {}
