public import Core
public import HTTP
public import Reading

/// How pages are fetched and read.
public struct FetchOptions: Sendable {
  /// Seconds for one page, redirects and retries included, but not the waits between them.
  public var timeoutSeconds: Double = 15
  /// How what came is read; its address and content type are those of each page.
  public var reading = ReadOptions()
  /// Whether addresses that are not public may be fetched from.
  public var allowPrivate = false
  /// Hosts that may be fetched from though their addresses are not public; in lower case.
  public var allowedHosts: Set<String> = []
  /// Whether a URL may hold a name and a password for its server.
  public var allowUserinfo = false
  /// What the client calls itself; robots.txt knows it by the name at its start.
  public var userAgent: String
  /// The most bytes of one body on the network.
  public var maximumWireBytes = 10_000_000
  /// The most bytes of one body after decoding, and of one file.
  public var maximumDecodedBytes = 20_000_000
  /// What files are, whatever their names say; nil where these tell.
  public var fileType: String?
  /// The most redirects that are followed.
  public var maximumRedirects = 10
  /// Header fields sent besides; secret ones go to the first origin only.
  public var fields: [HTTPField] = []
  /// The names, in lower case, of fields that are secret whatever they are called.
  public var secretNames: Set<String> = []
  /// How many pages are fetched and read at once.
  public var parallel = 32
  /// How many requests one host gets at once.
  public var perHost = 2
  /// Seconds between the starts of two requests to one host.
  public var delaySeconds = 0.2
  /// How often a page is asked for again after a failure that may pass.
  public var retries = 2
  /// Whether robots.txt is not asked, of which the record of each page then tells.
  public var ignoresRobots = false
  /// Where answers are kept to be used again; nil keeps none.
  public var cache: ResponseCache?
  /// Takes the notice that the cache fails.
  public var note: Note = { _ in }
  /// Whether results come in the order of their jobs.
  public var isOrdered = false
  /// How many jobs may wait for their hosts while others are fetched.
  public var lookAhead = 1000

  /// Bytes that all pages which are read at once may take together, unless one alone takes more.
  package var memoryBytes = 400 << 20
  /// Seconds before the first retry, where the server names no wait.
  package var firstRetryWait = 1.0
  /// The hostile resolver of a test, in the form of `HTTPRequest.resolutions`.
  package var resolutions: (@Sendable (_ host: String, _ port: UInt16) -> [String])?
  /// What a test judges addresses by in place of the policy.
  package var addressGuard: AddressGuard?

  /// Creates options with the defaults above.
  public init(userAgent: String) {
    self.userAgent = userAgent
  }
}

extension FetchOptions {
  /// Whether a field was meant for one origin and for no other, by its name or by where it came from.
  public func isSecret(_ field: HTTPField) -> Bool {
    let name = field.name.lowercased()
    let marks = [
      "auth", "cookie", "token", "secret", "password", "credential", "session", "api-key",
    ]
    return secretNames.contains(name) || marks.contains { name.contains($0) }
      || name == "x-key" || name.hasSuffix("apikey")
  }

  /// Which of its addresses a page may be fetched from.
  func policy(for address: PageAddress) -> AddressGuard {
    if let addressGuard { return addressGuard }
    return AddressPolicy(
      allowPrivate: allowPrivate || allowedHosts.contains(address.host),
      option: "--allow-private"
    ).guard
  }
}
