/// A page's text and what is known about it.
///
/// Characters are Unicode scalars. The members of ``origin`` and of ``facts`` are members of the page.
@dynamicMemberLookup
public struct Page: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "page"

  /// Where it came from, and how.
  public var origin: PageOrigin
  /// What reading it found.
  public var facts = PageFacts()
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members of the origin; those of the facts are known besides.
  public typealias CodingKeys = PageOrigin.CodingKeys

  /// Creates the record of a page of which no more is known than its address.
  public init(url: String) { origin = PageOrigin(url: url) }

  /// Creates the record of a page that was read.
  public init(_ origin: PageOrigin, _ facts: PageFacts) {
    self.origin = origin
    self.facts = facts
  }

  /// Reads both parts from one object.
  public init(from decoder: any Decoder) throws {
    origin = try PageOrigin(from: decoder)
    facts = try PageFacts(from: decoder)
  }

  /// Writes both parts as one object.
  public func encode(to encoder: any Encoder) throws {
    try origin.encode(to: encoder)
    try facts.encode(to: encoder)
  }

  /// The members that this version knows.
  public static var memberNames: [String] {
    PageOrigin.CodingKeys.allCases.map(\.stringValue)
      + PageFacts.CodingKeys.allCases.map(\.stringValue)
  }

  /// Strings a user attached.
  public var labels: [String: String]? {
    get { origin.labels }
    set { origin.labels = newValue }
  }

  /// A member of the origin.
  public subscript<Value>(dynamicMember member: WritableKeyPath<PageOrigin, Value>) -> Value {
    get { origin[keyPath: member] }
    set { origin[keyPath: member] = newValue }
  }

  /// One of the facts.
  public subscript<Value>(dynamicMember member: WritableKeyPath<PageFacts, Value>) -> Value {
    get { facts[keyPath: member] }
    set { facts[keyPath: member] = newValue }
  }
}
