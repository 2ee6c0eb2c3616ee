/// A failure in a stream, written in place of the record that failed.
public struct ErrorRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "error"

  /// The failure, whose members are also members of the record.
  public var failure: Failure
  /// The tool that reports the failure.
  public var tool: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case code, kind, title, explanation, action, suggestedAction, category, retryable
    case retryAfterSeconds, status, url, redirects, tool, input, cause, labels
  }

  /// Creates the record.
  public init(_ failure: Failure, tool: String?) {
    self.failure = failure
    self.tool = tool
  }

  /// Decodes the failure, the tool and the labels from one object.
  public init(from decoder: any Decoder) throws {
    failure = try Failure(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tool = try container.decodeIfPresent(String.self, forKey: .tool)
    labels = try container.decodeIfPresent([String: String].self, forKey: .labels)
  }

  /// Encodes the failure, the tool and the labels into one object.
  public func encode(to encoder: any Encoder) throws {
    try failure.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(tool, forKey: .tool)
    try container.encodeIfPresent(labels, forKey: .labels)
  }
}

/// A failure inside another record. It has the members of an `error` record, except `type` and
/// `tool`.
extension Failure: Codable {
  /// Decodes the failure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ErrorRecord.CodingKeys.self)
    func text(_ key: ErrorRecord.CodingKeys) throws -> String? {
      try container.decodeIfPresent(String.self, forKey: key)
    }
    // A newer tool may use a code that this version does not know; the record is still a failure.
    let code = FailureCode(rawValue: try container.decode(String.self, forKey: .code))
    self.init(
      code ?? .toolFailed, try text(.explanation) ?? "",
      kind: try text(.kind).map(FailureKind.init(rawValue:)),
      retryAfterSeconds: try container.decodeIfPresent(Double.self, forKey: .retryAfterSeconds),
      status: try container.decodeIfPresent(Int.self, forKey: .status),
      url: try text(.url),
      redirects: try container.decodeIfPresent([String].self, forKey: .redirects),
      input: try text(.input), cause: try text(.cause), nextStep: try text(.action))
    if nextStep == row.action { nextStep = nil }
  }

  /// Encodes the failure.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ErrorRecord.CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encodeIfPresent(kind, forKey: .kind)
    try container.encode(row.title, forKey: .title)
    try container.encode(Secrets.shown(explanation), forKey: .explanation)
    try container.encode(Secrets.shown(action), forKey: .action)
    try container.encode(row.suggested, forKey: .suggestedAction)
    try container.encode(row.category, forKey: .category)
    try container.encode(row.retryable || retryAfterSeconds != nil, forKey: .retryable)
    try container.encodeIfPresent(retryAfterSeconds, forKey: .retryAfterSeconds)
    try container.encodeIfPresent(status, forKey: .status)
    try container.encodeIfPresent(url.map(Secrets.shown), forKey: .url)
    try container.encodeIfPresent(redirects?.map(Secrets.shown), forKey: .redirects)
    try container.encodeIfPresent(input.map(Secrets.shown), forKey: .input)
    try container.encodeIfPresent(cause.map(Secrets.shown), forKey: .cause)
  }
}
