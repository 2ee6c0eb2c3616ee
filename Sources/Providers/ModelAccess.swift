import Catalogue
public import Core
public import HTTP
public import Keys

/// The models that a process can use: the directory that chooses them and the clients that query
/// them.
public struct ModelAccess: Sendable {
  /// The user's settings.
  public let configuration: Settings
  /// The directory that chooses models.
  public let directory: ModelDirectory
  /// The client that sends requests to models.
  public let client: ModelClient
  /// The HTTP client that sends the requests.
  ///
  /// It may also be used for other requests.
  public let http: HTTPClient

  /// Creates the directory and the clients without looking up or sending anything.
  ///
  /// - Parameters:
  ///   - configuration: The user's settings.
  ///   - directories: The directories that hold refreshed prices, listed models and learned
  ///     refusals.
  ///   - keys: The store of keys.
  ///   - environment: The process's environment.
  ///   - timeouts: The time limits of each request in seconds; nil for the defaults.
  ///   - retries: The number of retries; nil for the default.
  ///   - trace: Receives the traffic, one line at a time.
  public init(
    _ configuration: Settings, _ directories: Directories, keys: KeyStore,
    environment: [String: String],
    timeouts: (connect: Double?, idle: Double?, total: Double?), retries: Int?,
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.configuration = configuration
    http = HTTPClient()
    let catalogue = Catalogue(directories)
    if let problem = catalogue.problem { keys.report(.sentence(problem.sentence)) }
    directory = ModelDirectory(
      configuration: configuration, catalogue: catalogue, keys: keys, environment: environment,
      timeouts: HTTPTimeouts(
        connect: timeouts.connect, idle: timeouts.idle, total: timeouts.total),
      client: http, trace: trace)
    client = ModelClient(
      retry: RetryPolicy(retries: retries), refusals: catalogue.learned)
  }
}
