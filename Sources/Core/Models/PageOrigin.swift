/// Where a page came from, and how.
public struct PageOrigin: Codable, Sendable, Hashable {
  /// The address asked for; of a file, its `file://` form.
  public var url: String
  /// The file it was read from, as it was named.
  public var path: String?
  /// The project its file goes to.
  public var project: String?
  /// The address that answered.
  public var finalURL: String?
  /// The addresses in between.
  public var redirects: [String]?
  /// Whether a redirect led from https to http.
  public var downgraded: Bool?
  /// `ignored` when robots.txt was not asked though the address came from a list.
  public var robots: String?
  /// The HTTP status.
  public var status: Int?
  /// The media type, without parameters.
  public var contentType: String?
  /// The decoded body's size.
  public var bytes: Int?
  /// The SHA-256 of the decoded body, in hexadecimal.
  public var sha256: String?
  /// Whether the body was cut on its way.
  public var partial: Bool?
  /// When it was read.
  public var fetchedAt: Timestamp?
  /// Whether it came from the cache.
  public var fromCache: Bool?
  /// How long its parts took.
  public var timing: PageTiming?
  /// Why the body is partial.
  public var error: Failure?
  /// Strings a user attached.
  public var labels: [String: String]?

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case url, path, project, finalURL, redirects, downgraded, robots, status, contentType, bytes,
      sha256, partial, fetchedAt, fromCache, timing, error, labels
  }

  /// Creates the origin of a page of which no more is known than its address.
  public init(url: String) { self.url = url }
}

/// How long the parts of reading a page took, in milliseconds from its start.
public struct PageTiming: Codable, Sendable, Hashable {
  /// Until the name was resolved.
  public var nameLookupMs: Double?
  /// Until the connection stood.
  public var connectMs: Double?
  /// Until the first byte of the answer.
  public var firstByteMs: Double?
  /// Until the last byte.
  public var totalMs: Double?
  /// What extraction took by itself.
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
