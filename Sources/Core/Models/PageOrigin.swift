/// The source of a page and its retrieval.
public struct PageOrigin: Codable, Sendable, Hashable {
  /// The requested address; for a file, its `file://` form.
  public var url: String
  /// The file that the page was read from, as the user named it.
  public var path: String?
  /// The project that its file is exported to.
  public var project: String?
  /// The address of the final response.
  public var finalURL: String?
  /// The addresses of the redirects.
  public var redirects: [String]?
  /// `true` if a redirect led from https to http.
  public var downgraded: Bool?
  /// `ignored` if robots.txt was not checked for an address from a list.
  public var robots: String?
  /// The HTTP status.
  public var status: Int?
  /// The media type, without parameters.
  public var contentType: String?
  /// The size of the decoded body.
  public var bytes: Int?
  /// The SHA-256 of the decoded body, in hexadecimal.
  public var sha256: String?
  /// `true` if the body was cut off in transit.
  public var partial: Bool?
  /// The time at which the page was read.
  public var fetchedAt: Timestamp?
  /// `true` if the page came from the cache.
  public var fromCache: Bool?
  /// The times of the phases of reading the page.
  public var timing: PageTiming?
  /// The reason why the body is partial.
  public var error: Failure?
  /// The labels that a user attached.
  public var labels: [String: String]?

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case url, path, project, finalURL, redirects, downgraded, robots, status, contentType, bytes,
      sha256, partial, fetchedAt, fromCache, timing, error, labels
  }

  /// Creates the origin of a page of which only the address is known.
  public init(url: String) { self.url = url }
}

/// The times of the phases of reading a page, in milliseconds from the start of the first.
public struct PageTiming: Codable, Sendable, Hashable {
  /// The time at which the name was resolved.
  public var nameLookupMs: Double?
  /// The time at which the connection was established.
  public var connectMs: Double?
  /// The time of the first byte of the response.
  public var firstByteMs: Double?
  /// The time of the last byte.
  public var totalMs: Double?
  /// The duration of the extraction alone.
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
