/// One line of a stream that is a record: its bytes as they came, and where its members lie.
public struct RawRecord: Sendable {
  /// The line without its line end.
  public let bytes: [UInt8]
  /// The record's `type`.
  public let type: String
  /// Where the record came from, such as `<stdin>:12`; empty for one from a store.
  public let source: String

  /// Whether two members have one name; a decoder would take the earlier one.
  let repeatsNames: Bool
  private let members: [String: Range<Int>]

  /// Checks a line and finds its members; of two with one name the later counts.
  ///
  /// - Throws: `BadInput` for a line that is not UTF-8, not a JSON object, or has no string `type`.
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

  /// Finds the members of an object that is the value of a member; nil for anything else.
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

  /// The value of a member that is a string.
  public func string(_ name: String) -> String? {
    Self.string(bytes, members[name])
  }

  /// The value of a member as the JSON it came as.
  public func json(_ name: String) -> String? {
    members[name].map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// Whether the record has a member that is not null.
  public func contains(_ name: String) -> Bool {
    members[name].map { !bytes[$0].elementsEqual("null".utf8) } ?? false
  }

  /// The record with a member that is such JSON, as one line: sorted, all else as it came.
  public func setting(_ name: String, to json: String) -> [UInt8] {
    UnknownMembers(
      members.mapValues { Array(bytes[$0]) }.merging([name: Array(json.utf8)]) { $1 }
    ).object
  }

  /// The members whose names are not among the given ones, each as the raw JSON it came as.
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

/// Members of a record that this version does not know, kept as raw JSON so that they survive.
public struct UnknownMembers: Sendable, Hashable {
  let members: [String: [UInt8]]

  /// No unknown members.
  public init() { members = [:] }

  init(_ members: [String: [UInt8]]) { self.members = members }

  var isEmpty: Bool { members.isEmpty }
}
