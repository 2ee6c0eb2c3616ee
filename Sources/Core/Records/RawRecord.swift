/// A record in its original bytes, with the positions of its members.
public struct RawRecord: Sendable {
  /// The line without its line end.
  public let bytes: [UInt8]
  /// The record's `type`.
  public let type: String
  /// The position that the record was read from, such as `<stdin>:12`; empty if it came from a
  /// store.
  public let source: String

  /// `true` if two members have the same name.
  ///
  /// A decoder would use the earlier member.
  let repeatsNames: Bool
  private let members: [String: Range<Int>]

  /// Creates a record from the given line, which is validated.
  ///
  /// If two members have the same name, the later one counts.
  ///
  /// - Throws: `BadInput` if the line is not UTF-8, is not a JSON object, or has no string `type`.
  public init(line bytes: [UInt8], source: String = "") throws(Failure) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Failure(.badInput, "the line is not UTF-8", input: source)
    }
    let found: [JSONScanner.Member]
    do {
      found = try bytes.withUnsafeBufferPointer { buffer throws(JSONScanner.Fault) in
        try JSONScanner.members(of: buffer)
      }
    } catch {
      throw Failure(
        .badInput, "the line is not a record: \(error.reason) at byte \(error.offset + 1)",
        input: source)
    }
    let members = Dictionary(found.map { ($0.name, $0.value) }) { $1 }
    self.bytes = bytes
    self.members = members
    repeatsNames = members.count < found.count
    self.source = source
    guard let type = Self.string(bytes, members["type"]), !type.isEmpty else {
      throw Failure(.badInput, "the line is not a record: no string 'type'", input: source)
    }
    self.type = type
  }

  /// Creates a record without a type from the given JSON text; nil if the text is not an object.
  public init?(object json: String) {
    let bytes = Array(json.utf8)
    let found = try? bytes.withUnsafeBufferPointer { buffer throws(JSONScanner.Fault) in
      try JSONScanner.members(of: buffer)
    }
    guard let found else { return nil }
    self.bytes = bytes
    members = Dictionary(found.map { ($0.name, $0.value) }) { $1 }
    repeatsNames = members.count < found.count
    source = ""
    type = ""
  }

  /// Returns the value of the member with the given name if it is a string.
  public func string(_ name: String) -> String? {
    Self.string(bytes, members[name])
  }

  /// Returns the original JSON of the member with the given name.
  public func json(_ name: String) -> String? {
    members[name].map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// Returns `true` if the record has a member with the given name that is not null.
  public func contains(_ name: String) -> Bool {
    members[name].map { !bytes[$0].elementsEqual("null".utf8) } ?? false
  }

  /// Returns the record as one line with sorted members, after setting the given member to `json`.
  public func setting(_ name: String, to json: String) -> [UInt8] {
    UnknownMembers(
      members.mapValues { Array(bytes[$0]) }.merging([name: Array(json.utf8)]) { $1 }
    ).object
  }

  /// Returns all members except those with the given names, each in its original JSON.
  func members(except known: Set<String>) -> UnknownMembers {
    UnknownMembers(
      members.filter { !known.contains($0.key) }.mapValues { Array(bytes[$0]) })
  }

  private static func string(_ bytes: [UInt8], _ range: Range<Int>?) -> String? {
    guard let range, range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else {
      return nil
    }
    return bytes.withUnsafeBufferPointer { buffer in
      JSONString.unescaped(
        UnsafeBufferPointer(rebasing: buffer[(range.lowerBound + 1)..<(range.upperBound - 1)]))
    }
  }
}

/// The members of a record that this version does not know, preserved as raw JSON.
public struct UnknownMembers: Sendable, Hashable {
  let members: [String: [UInt8]]

  /// Creates an empty set of members.
  public init() { members = [:] }

  init(_ members: [String: [UInt8]]) { self.members = members }

  var isEmpty: Bool { members.isEmpty }
}
