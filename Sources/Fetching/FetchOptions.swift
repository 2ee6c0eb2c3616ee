public import HTTP

/// How pages are fetched and read.
public struct FetchOptions: Sendable {
  /// Seconds for one page, redirects included.
  public var timeoutSeconds: Double = 15
  /// Seconds for the extraction of one page.
  public var extractionSeconds: Double = 5
  /// The most Unicode scalars of text and of Markdown that are kept; 0 keeps all.
  public var maximumCharacters = 8000
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
