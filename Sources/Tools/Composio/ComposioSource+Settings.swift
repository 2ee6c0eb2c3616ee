import Core
import HTTP
import Keys

extension ComposioSource {
  /// Creates the source from the configuration; nil if no key is found.
  ///
  /// - Throws: `BadConfiguration` if the settings are invalid; the errors of the key store.
  init?(
    _ surroundings: any Surroundings, _ settings: Settings, _ client: HTTPClient,
    person terminal: ToolTerminal?, retries: Int?
  ) throws(Failure) {
    guard let found = try surroundings.keys(settings).find("composio") else { return nil }
    let composio = settings.composio
    guard composio.toolkits.allSatisfy(ComposioTool.isToolkit),
      composio.userId.map({ !$0.isEmpty && $0.utf8.count <= 500 }) ?? true
    else {
      throw Failure(
        .badConfiguration, "'user_id' or 'toolkits' under '[composio]' is not valid",
        input: surroundings.directories.config + "/config.toml")
    }
    let named = surroundings.environment["COMPOSIO_BASE_URL"].flatMap { $0.isEmpty ? nil : $0 }
    var base = named ?? ComposioRouter.defaultBase
    while base.hasSuffix("/") { base.removeLast() }
    var connect: Connect?
    if let terminal {
      connect = { (toolkit, link) async throws(Failure) in
        try await terminal.connect(toolkit, link)
      }
    }
    self.init(
      ComposioRouter(base: base, key: found.secret, client: client, retries: retries),
      composio, surroundings.directories, connect: connect, report: surroundings.report)
  }
}
