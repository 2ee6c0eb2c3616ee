public import Core
public import HTTP
public import Reading

/// Options for fetching and reading pages.
public struct FetchOptions: Sendable {
  /// The maximum time for one page in seconds.
  ///
  /// It includes redirects and retries, but not the waits between them.
  public var timeoutSeconds: Double = 15
  /// The options for reading documents.
  ///
  /// The base URL and the content type are set for each page.
  public var reading = ReadOptions()
  /// `true` to allow connections to addresses that are not public.
  public var allowPrivate = false
  /// The hosts to which connections are allowed even if their addresses are not public.
  ///
  /// The names are in lower case.
  public var allowedHosts: Set<String> = []
  /// `true` to allow a user name and a password in a URL.
  public var allowUserinfo = false
  /// The user agent.
  ///
  /// Its first word is the product token for robots.txt.
  public var userAgent: String
  /// The maximum number of bytes of a body before decoding.
  public var maximumWireBytes = 10_000_000
  /// The maximum number of bytes of a decoded body or a file.
  public var maximumDecodedBytes = 20_000_000
  /// The media type that all files have; nil to derive it from each file's name.
  public var fileType: String?
  /// The maximum number of redirects.
  public var maximumRedirects = 10
  /// Additional header fields.
  ///
  /// Secret fields are sent only to the origin of the requested URL.
  public var fields: [HTTPField] = []
  /// The names, in lower case, of those additional fields that are secret.
  public var secretNames: Set<String> = []
  /// The maximum number of pages that are fetched and read in parallel.
  public var parallel = 32
  /// The maximum number of parallel requests to one host.
  public var perHost = 2
  /// The minimum time, in seconds, between the starts of two requests to one host.
  public var delaySeconds = 0.2
  /// The number of times that a request is retried after a temporary failure.
  public var retries = 2
  /// `true` to ignore robots.txt.
  ///
  /// The record of each page then states this.
  public var ignoresRobots = false
  /// The cache of servers' answers; nil to use none.
  public var cache: ResponseCache?
  /// A function that receives the notice that the cache has failed.
  public var report: NoticeHandler = { _ in }
  /// `true` to deliver results in the order of their jobs.
  public var isOrdered = false
  /// The maximum number of jobs that may wait for their hosts while other jobs are fetched.
  public var lookAhead = 1000

  /// The maximum number of bytes of memory for reading pages in parallel.
  ///
  /// A single page may exceed it.
  package var memoryBytes = 400 << 20
  /// The time before the first retry in seconds, if the server does not request one.
  package var firstRetryWait = 1.0
  /// A hostile resolver for tests.
  ///
  /// Its results have the form of `HTTPRequest.resolutions`.
  package var resolutions: (@Sendable (_ host: String, _ port: UInt16) -> [String])?
  /// A replacement for the address policy in tests.
  package var addressGuard: AddressGuard?

  /// Creates options with the given user agent.
  ///
  /// All other properties have their default values.
  public init(userAgent: String) {
    self.userAgent = userAgent
  }
}

extension FetchOptions {
  /// Returns `true` if the given field is secret, judged by its name.
  public func isSecret(_ field: HTTPField) -> Bool {
    let name = field.name.lowercased()
    let marks = [
      "auth", "cookie", "token", "secret", "password", "credential", "session", "api-key",
    ]
    return secretNames.contains(name) || marks.contains { name.contains($0) }
      || name == "x-key" || name.hasSuffix("apikey")
  }

  /// Returns the guard that decides to which socket addresses a request for the given page may
  /// connect.
  func policy(for address: PageAddress) -> AddressGuard {
    if let addressGuard { return addressGuard }
    return AddressPolicy(
      allowPrivate: allowPrivate || allowedHosts.contains(address.host),
      option: "--allow-private"
    ).guard
  }
}
