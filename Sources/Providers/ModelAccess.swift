import Catalogue
public import Core
public import HTTP
public import Keys

/// How the models of one process are reached: who there is, and what asks them.
public struct ModelAccess: Sendable {
  /// The user's settings.
  public let configuration: Settings
  /// Chooses models.
  public let directory: ModelDirectory
  /// Asks them.
  public let client: ModelClient
  /// What sends their requests, for others that send some too.
  public let http: HTTPClient

  /// Reaches the models that a user may ask; nothing is looked up or sent yet.
  ///
  /// - Parameters:
  ///   - configuration: The user's settings.
  ///   - directories: Where refreshed prices, listed models and learned refusals are kept.
  ///   - keys: Where keys are looked up.
  ///   - environment: The process's environment.
  ///   - timeouts: How long each request may take, in seconds; nil for the usual.
  ///   - retries: How often a failed request is sent again; nil for the table's.
  ///   - trace: Is told what goes over the wire, a line at a time.
  public init(
    _ configuration: Settings, _ directories: Directories, keys: KeyStore,
    environment: [String: String],
    timeouts: (connect: Double?, idle: Double?, total: Double?), retries: Int?,
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.configuration = configuration
    http = HTTPClient()
    let catalogue = Catalogue(directories)
    if let problem = catalogue.problem { keys.note(.sentence(problem.explanation)) }
    directory = ModelDirectory(
      configuration: configuration, catalogue: catalogue, keys: keys, environment: environment,
      timeouts: HTTPTimeouts(
        connect: timeouts.connect, idle: timeouts.idle, total: timeouts.total),
      client: http, trace: trace)
    client = ModelClient(
      retry: RetryPolicy(retries: retries), refusals: catalogue.learned)
  }
}
