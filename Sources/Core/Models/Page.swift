/// A page's text and metadata.
///
/// Its lengths count Unicode scalars. The members of ``origin`` and ``facts`` can be accessed as
/// members of the page.
@dynamicMemberLookup
public struct Page: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "page"

  /// The page's source and details of its retrieval.
  public var origin: PageOrigin
  /// The facts found in the page.
  public var facts = PageFacts()
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The names of the origin's members.
  ///
  /// ``PageFacts`` declares its own names.
  public typealias CodingKeys = PageOrigin.CodingKeys

  /// Creates the record of a page from its address alone.
  public init(url: String) { origin = PageOrigin(url: url) }

  /// Creates the record of a page that was read.
  public init(_ origin: PageOrigin, _ facts: PageFacts) {
    self.origin = origin
    self.facts = facts
  }

  /// Decodes the origin and the facts from one object.
  public init(from decoder: any Decoder) throws {
    origin = try PageOrigin(from: decoder)
    facts = try PageFacts(from: decoder)
  }

  /// Encodes the origin and the facts into one object.
  public func encode(to encoder: any Encoder) throws {
    try origin.encode(to: encoder)
    try facts.encode(to: encoder)
  }

  /// The members that this version knows.
  public static var memberNames: [String] {
    PageOrigin.CodingKeys.allCases.map(\.stringValue)
      + PageFacts.CodingKeys.allCases.map(\.stringValue)
  }

  /// The labels that a user attached.
  public var labels: [String: String]? {
    get { origin.labels }
    set { origin.labels = newValue }
  }

  /// Accesses a member of the origin.
  public subscript<Value>(dynamicMember member: WritableKeyPath<PageOrigin, Value>) -> Value {
    get { origin[keyPath: member] }
    set { origin[keyPath: member] = newValue }
  }

  /// Accesses a member of the facts.
  public subscript<Value>(dynamicMember member: WritableKeyPath<PageFacts, Value>) -> Value {
    get { facts[keyPath: member] }
    set { facts[keyPath: member] = newValue }
  }
}
