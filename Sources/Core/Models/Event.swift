/// A record of an event log.
///
/// Its head has the members that all events share. Its body has the members that only its type has.
/// Both are encoded in one object.
@dynamicMemberLookup
public protocol Event: StreamRecord where CodingKeys == Body.CodingKeys {
  /// The type of the body.
  associatedtype Body: EventBody
  /// `true` if an event of this type is invalid without an agent.
  static var needsAgent: Bool { get }
  /// The members that all events share.
  var head: EventHead { get set }
  /// The members that only this type of event has.
  var body: Body { get set }
  /// Creates an event from its head and body.
  init(head: EventHead, body: Body)
  /// The same bytes as `line()`, from a faster encoder; nil if the type has no such encoder.
  var quickLine: [UInt8]? { get }
}

/// The members that only one type of event has.
public protocol EventBody: Codable, Sendable, Hashable {
  /// The members that this version knows.
  associatedtype CodingKeys: CodingKey, CaseIterable
}

extension Event {
  /// `false`, because most events need not name an agent.
  public static var needsAgent: Bool { false }
  /// Nil, because most types have no faster encoder.
  public var quickLine: [UInt8]? { nil }

  /// The names of the members of the head and the body.
  public static var memberNames: [String] {
    EventHead.CodingKeys.allCases.map(\.stringValue) + CodingKeys.allCases.map(\.stringValue)
  }

  /// The labels that a user attached.
  public var labels: [String: String]? {
    get { head.labels }
    set { head.labels = newValue }
  }

  /// Accesses a member of the head.
  public subscript<Value>(dynamicMember path: WritableKeyPath<EventHead, Value>) -> Value {
    get { head[keyPath: path] }
    set { head[keyPath: path] = newValue }
  }

  /// Accesses a member of the body.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Body, Value>) -> Value {
    get { body[keyPath: path] }
    set { body[keyPath: path] = newValue }
  }

  /// Decodes the head and the body from one object.
  public init(from decoder: any Decoder) throws {
    let head = try EventHead(from: decoder)
    guard !Self.needsAgent || head.agentId != nil else {
      throw DecodingError.keyNotFound(
        EventHead.CodingKeys.agentId,
        .init(codingPath: decoder.codingPath, debugDescription: "there is no agent"))
    }
    self.init(head: head, body: try Body(from: decoder))
  }

  /// Encodes the head and the body into one object.
  public func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try body.encode(to: encoder)
  }
}
