/// The source of a page and details of its retrieval.
public struct PageOrigin: Codable, Sendable, Hashable {
  /// The requested address.
  ///
  /// A file has a `file://` address.
  public var url: String
  /// The path of the file that the page was read from, as the user wrote it.
  public var path: String?
  /// The project into whose folder the page's file is exported.
  public var project: String?
  /// The address of the final response.
  public var finalURL: String?
  /// The addresses of the redirects, in order.
  public var redirects: [String]?
  /// `true` if a redirect led from https to http.
  public var downgraded: Bool?
  /// `ignored` if robots.txt was not checked, as for an address from a list; otherwise nil.
  public var robots: String?
  /// The HTTP status.
  public var status: Int?
  /// The media type, without parameters.
  public var contentType: String?
  /// The size of the decoded body in bytes.
  public var bytes: Int?
  /// The SHA-256 of the decoded body, in hexadecimal.
  public var sha256: String?
  /// `true` if the body was cut off in transit.
  public var partial: Bool?
  /// The time at which the page was read.
  public var fetchedAt: Timestamp?
  /// `true` if the page came from the cache.
  public var fromCache: Bool?
  /// The times at which the phases of reading the page ended.
  public var timing: PageTiming?
  /// The failure that cut the body off.
  public var error: Failure?
  /// The labels that a user attached.
  public var labels: [String: String]?

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case url, path, project, finalURL, redirects, downgraded, robots, status, contentType, bytes,
      sha256, partial, fetchedAt, fromCache, timing, error, labels
  }

  /// Creates the origin of a page from its address alone.
  public init(url: String) { self.url = url }
}

/// The times at which the phases of reading a page ended.
///
/// All are in milliseconds since the start of the first phase.
public struct PageTiming: Codable, Sendable, Hashable {
  /// The time at which the host's name was resolved.
  public var nameLookupMs: Double?
  /// The time at which the connection was established.
  public var connectMs: Double?
  /// The time at which the first byte of the response arrived.
  public var firstByteMs: Double?
  /// The time at which the last byte arrived.
  public var totalMs: Double?
  /// The duration of the extraction only.
  public var extractMs: Double?

  /// Creates the times.
  public init(
    nameLookupMs: Double? = nil, connectMs: Double? = nil, firstByteMs: Double? = nil,
    totalMs: Double? = nil, extractMs: Double? = nil
  ) {
    self.nameLookupMs = nameLookupMs
    self.connectMs = connectMs
    self.firstByteMs = firstByteMs
    self.totalMs = totalMs
    self.extractMs = extractMs
  }
}
