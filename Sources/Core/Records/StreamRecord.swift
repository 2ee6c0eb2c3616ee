import Foundation

/// A record of a stream: a JSON object with a `type`.
///
/// Each type has its own struct. The struct lists its members, except ``unknown``, in `CodingKeys`.
/// All other members of a line are stored in ``unknown`` and written back.
public protocol StreamRecord: Codable, Sendable {
  /// The members this version knows.
  associatedtype CodingKeys: CodingKey, CaseIterable
  /// The value of the `type` member.
  static var type: String { get }
  /// The labels that a user attached.
  ///
  /// They are copied from a goal to its pipeline, stages, artifacts and files.
  var labels: [String: String]? { get }
  /// The names of the members that this version knows, except `type`.
  static var memberNames: [String] { get }
  /// The members that this version does not know. They are written back unchanged.
  var unknown: UnknownMembers { get set }
}

extension StreamRecord {
  /// The names in `CodingKeys`.
  public static var memberNames: [String] { CodingKeys.allCases.map(\.stringValue) }

  /// Decodes the record from the given line, which must be of this type.
  ///
  /// - Throws: `BadInput` if a member is missing or wrong.
  public init(_ raw: RawRecord) throws(Failure) {
    do {
      let bytes = raw.repeatsNames ? raw.members(except: []).object : raw.bytes
      self = try Self.decoded(bytes)
    } catch {
      throw Failure(.badInput, Self.explain(error), input: raw.source)
    }
    unknown = raw.members(except: Self.knownNames)
  }

  private static func decoded(_ bytes: [UInt8]) throws -> Self {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      // JSON's grammar allows lone surrogates, which Foundation's decoder rejects.
      guard let whole = JSONString.withoutLoneSurrogates(bytes) else {
        throw DecodingError.dataCorrupted(context)
      }
      return try JSONDecoder().decode(Self.self, from: Data(whole))
    }
  }

  /// Returns a copy of the record, changed by the given function.
  ///
  /// - Parameter set: A function that sets members, such as those that `init` does not accept.
  /// - Returns: The changed copy.
  public func with(_ set: (inout Self) throws -> Void) rethrows -> Self {
    var record = self
    try set(&record)
    return record
  }

  /// Decodes the record from the given JSON text.
  public init(json: String) throws(Failure) {
    try self.init(RawRecord(line: Array(json.utf8)))
  }

  /// Returns the record as one line without a line end.
  ///
  /// Keys are sorted by their bytes, and `/` is not escaped.
  public func line() throws(Failure) -> [UInt8] {
    let known: [UInt8]
    do {
      known = try LineEncoder.text(of: Typed(record: self))
    } catch {
      throw Failure(.badInput, "the record cannot be written as JSON: \(error)")
    }
    guard !unknown.isEmpty else { return known }
    let raw = try RawRecord(line: known)
    return UnknownMembers(
      raw.members(except: []).members.merging(unknown.members) { known, _ in known }
    ).object
  }

  /// Returns the record's JSON text.
  public func json() throws(Failure) -> String {
    String(decoding: try line(), as: UTF8.self)
  }

  private static var knownNames: Set<String> {
    Set(memberNames).union(["type"])
  }

  private static func explain(_ error: any Error) -> String {
    func name(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
      (path + (last.map { [$0] } ?? [])).map { $0.intValue.map(String.init) ?? $0.stringValue }
        .joined(separator: ".")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return "\(type): missing '\(name(context.codingPath, key))'"
    case DecodingError.valueNotFound(_, let context):
      return "\(type): missing '\(name(context.codingPath))'"
    case DecodingError.typeMismatch(let wanted, let context):
      return "\(type): '\(name(context.codingPath))' is not \(article(wanted))"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      return "\(type): '\(name(context.codingPath))' has no valid value"
    default:
      return "\(type): the record cannot be read"
    }
  }

  private static func article(_ wanted: any Any.Type) -> String {
    switch wanted {
    case is String.Type: "a string"
    case is Int.Type, is Int64.Type: "a whole number"
    case is Double.Type: "a number"
    case is Bool.Type: "true or false"
    case is any Keyed.Type: "an object"
    case is any Collection.Type: "an array"
    default: "an object"
    }
  }
}

/// A marker that distinguishes dictionaries, which are collections too, from arrays.
private protocol Keyed {}

extension Dictionary: Keyed {}

/// A record encoded together with its `type` in one object.
private struct Typed<Record: StreamRecord>: Encodable {
  var record: Record

  private enum Key: String, CodingKey { case type }

  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Record.type, forKey: .type)
  }
}

extension UnknownMembers {
  /// The members as one JSON object, sorted by the bytes of their names.
  var object: [UInt8] {
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    var result: [UInt8] = [UInt8(ascii: "{")]
    for (index, member) in sorted.enumerated() {
      if index > 0 { result.append(UInt8(ascii: ",")) }
      result += JSONString.literal(member.key)
      result.append(UInt8(ascii: ":"))
      result += member.value
    }
    result.append(UInt8(ascii: "}"))
    return result
  }
}
