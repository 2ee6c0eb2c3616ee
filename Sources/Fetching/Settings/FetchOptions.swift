public import Core
public import HTTP
public import Reading

/// Options for fetching and reading pages.
public struct FetchOptions: Sendable {
  /// The maximum seconds for one page, with redirects and retries but without the waits between
  /// them.
  public var timeoutSeconds: Double = 15
  /// The options for reading; the base URL and the content type are set for each page.
  public var reading = ReadOptions()
  /// `true` to allow addresses that are not public.
  public var allowPrivate = false
  /// The hosts that are allowed although their addresses are not public, in lower case.
  public var allowedHosts: Set<String> = []
  /// `true` to allow a user name and a password in a URL.
  public var allowUserinfo = false
  /// The user agent; its first word is the product token for robots.txt.
  public var userAgent: String
  /// The maximum bytes of one body before decoding.
  public var maximumWireBytes = 10_000_000
  /// The maximum bytes of one body after decoding, and of one file.
  public var maximumDecodedBytes = 20_000_000
  /// The media type of all files; nil to derive it from the name of each file.
  public var fileType: String?
  /// The maximum number of redirects.
  public var maximumRedirects = 10
  /// Additional header fields; secret ones are sent only to the first origin.
  public var fields: [HTTPField] = []
  /// The names of additional fields that are secret, in lower case.
  public var secretNames: Set<String> = []
  /// The maximum number of pages fetched and read in parallel.
  public var parallel = 32
  /// The maximum number of requests in parallel to one host.
  public var perHost = 2
  /// The minimum seconds between the starts of two requests to one host.
  public var delaySeconds = 0.2
  /// The number of retries after a temporary failure.
  public var retries = 2
  /// `true` to ignore robots.txt, which the record of each page then states.
  public var ignoresRobots = false
  /// The cache of answers; nil for none.
  public var cache: ResponseCache?
  /// A function that receives the notice that the cache failed.
  public var note: Note = { _ in }
  /// `true` to deliver results in the order of their jobs.
  public var isOrdered = false
  /// The maximum number of jobs that wait for their hosts while other jobs are fetched.
  public var lookAhead = 1000

  /// The maximum memory in bytes for reading pages in parallel; a single page may exceed it.
  package var memoryBytes = 400 << 20
  /// The seconds before the first retry, if the server specifies no wait.
  package var firstRetryWait = 1.0
  /// A hostile resolver for tests, with results in the form of `HTTPRequest.resolutions`.
  package var resolutions: (@Sendable (_ host: String, _ port: UInt16) -> [String])?
  /// A replacement for the address policy in tests.
  package var addressGuard: AddressGuard?

  /// Creates options with the given user agent and the defaults above.
  public init(userAgent: String) {
    self.userAgent = userAgent
  }
}

extension FetchOptions {
  /// Returns `true` if the given field is secret, by its name.
  public func isSecret(_ field: HTTPField) -> Bool {
    let name = field.name.lowercased()
    let marks = [
      "auth", "cookie", "token", "secret", "password", "credential", "session", "api-key",
    ]
    return secretNames.contains(name) || marks.contains { name.contains($0) }
      || name == "x-key" || name.hasSuffix("apikey")
  }

  /// Returns the policy for the socket addresses that the given page may be fetched from.
  func policy(for address: PageAddress) -> AddressGuard {
    if let addressGuard { return addressGuard }
    return AddressPolicy(
      allowPrivate: allowPrivate || allowedHosts.contains(address.host),
      option: "--allow-private"
    ).guard
  }
}
