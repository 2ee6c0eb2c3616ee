public import HTTP
public import Reading

/// How pages are fetched and read.
public struct FetchOptions: Sendable {
  /// Seconds for one page, redirects included.
  public var timeoutSeconds: Double = 15
  /// How what came is read; its address and content type are those of each page.
  public var reading = ReadOptions()
  /// Whether addresses that are not public may be fetched from.
  public var allowPrivate = false
  /// What the client calls itself.
  public var userAgent: String
  /// The most bytes of one body on the network.
  public var maximumWireBytes = 10_000_000
  /// The most bytes of one body after decoding, and of one file.
  public var maximumDecodedBytes = 20_000_000
  /// The most redirects that are followed.
  public var maximumRedirects = 10
  /// Header fields sent besides; secret ones go to the first origin only.
  public var fields: [HTTPField] = []

  /// Creates options with the defaults above.
  public init(userAgent: String) {
    self.userAgent = userAgent
  }
}
