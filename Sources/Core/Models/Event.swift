/// A record that an event log keeps: a head that is the same for all, and a body of its own.
///
/// The members of both are members of the event, and of one object in its line.
@dynamicMemberLookup
public protocol Event: StreamRecord where CodingKeys == Body.CodingKeys {
  /// What an event of this type tells beside its head.
  associatedtype Body: EventBody
  /// Whether an event without an agent is none.
  static var needsAgent: Bool { get }
  /// What all events share.
  var head: EventHead { get set }
  /// What it tells beside its head.
  var body: Body { get set }
  /// Puts an event together.
  init(head: EventHead, body: Body)
  /// The line that `line()` gives, where there is a faster way to it; else nil.
  var quickLine: [UInt8]? { get }
}

/// The members of an event that are its own.
public protocol EventBody: Codable, Sendable, Hashable {
  /// The members that this version knows.
  associatedtype CodingKeys: CodingKey, CaseIterable
}

extension Event {
  /// An event may be about nobody.
  public static var needsAgent: Bool { false }
  /// There is no faster way.
  public var quickLine: [UInt8]? { nil }

  /// The members of the head, and its own.
  public static var memberNames: [String] {
    EventHead.CodingKeys.allCases.map(\.stringValue) + CodingKeys.allCases.map(\.stringValue)
  }

  /// Strings a user attached.
  public var labels: [String: String]? {
    get { head.labels }
    set { head.labels = newValue }
  }

  /// A member of the head.
  public subscript<Value>(dynamicMember path: WritableKeyPath<EventHead, Value>) -> Value {
    get { head[keyPath: path] }
    set { head[keyPath: path] = newValue }
  }

  /// A member of the body.
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
