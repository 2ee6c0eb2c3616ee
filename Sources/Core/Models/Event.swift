/// A record of an event log: a head with common members, and a body with members of its own.
///
/// An event encodes the members of both in one object.
@dynamicMemberLookup
public protocol Event: StreamRecord where CodingKeys == Body.CodingKeys {
  /// The type of the members beside the head.
  associatedtype Body: EventBody
  /// `true` if an event of this type is invalid without an agent.
  static var needsAgent: Bool { get }
  /// The members that all events share.
  var head: EventHead { get set }
  /// The members of its own, beside the head.
  var body: Body { get set }
  /// Creates an event from its head and body.
  init(head: EventHead, body: Body)
  /// The result of `line()` from a faster encoder; nil if there is none.
  var quickLine: [UInt8]? { get }
}

/// The members of an event beside its head.
public protocol EventBody: Codable, Sendable, Hashable {
  /// The members that this version knows.
  associatedtype CodingKeys: CodingKey, CaseIterable
}

extension Event {
  /// `false`: an event need not name an agent.
  public static var needsAgent: Bool { false }
  /// Nil: no faster encoder.
  public var quickLine: [UInt8]? { nil }

  /// The names of the members of head and body.
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

  /// Decodes head and body from one object.
  public init(from decoder: any Decoder) throws {
    let head = try EventHead(from: decoder)
    guard !Self.needsAgent || head.agentId != nil else {
      throw DecodingError.keyNotFound(
        EventHead.CodingKeys.agentId,
        .init(codingPath: decoder.codingPath, debugDescription: "there is no agent"))
    }
    self.init(head: head, body: try Body(from: decoder))
  }

  /// Encodes head and body into one object.
  public func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try body.encode(to: encoder)
  }
}
