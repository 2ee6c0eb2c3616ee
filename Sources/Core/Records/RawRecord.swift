/// A line of a stream that is a record: its original bytes, and the ranges of its members.
public struct RawRecord: Sendable {
  /// The line without its line end.
  public let bytes: [UInt8]
  /// The record's `type`.
  public let type: String
  /// The origin of the record, such as `<stdin>:12`; empty for a record from a store.
  public let source: String

  /// `true` if two members have the same name; a decoder would use the earlier one.
  let repeatsNames: Bool
  private let members: [String: Range<Int>]

  /// Validates the given line and locates its members; of two with the same name, the later counts.
  ///
  /// - Throws: `BadInput` if the line is not UTF-8, not a JSON object, or has no string `type`.
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

  /// Creates a record without a type from the text of a JSON object; nil if it is not one.
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

  /// Returns the value of the member with the given name as its original JSON.
  public func json(_ name: String) -> String? {
    members[name].map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// Returns `true` if the record has a member with the given name that is not null.
  public func contains(_ name: String) -> Bool {
    members[name].map { !bytes[$0].elementsEqual("null".utf8) } ?? false
  }

  /// Returns the record as one line with sorted members, with the member `name` set to `json`.
  public func setting(_ name: String, to json: String) -> [UInt8] {
    UnknownMembers(
      members.mapValues { Array(bytes[$0]) }.merging([name: Array(json.utf8)]) { $1 }
    ).object
  }

  /// Returns the members whose names are not among the given names, each as its original JSON.
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

/// Members of a record that this version does not know, preserved as raw JSON.
public struct UnknownMembers: Sendable, Hashable {
  let members: [String: [UInt8]]

  /// Creates an empty set of members.
  public init() { members = [:] }

  init(_ members: [String: [UInt8]]) { self.members = members }

  var isEmpty: Bool { members.isEmpty }
}
