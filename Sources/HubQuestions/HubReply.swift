import Core
import Foundation
import HubClient
import Watching

/// The body of a hub's answer: records as this machine tells them, in an object.
struct HubReply {
  private let members: RawRecord
  private let url: String
  /// What is put into each record that is not what the hub says now.
  private let mark: [UInt8]

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - url: The hub, for failures.
  ///   - since: When the hub said it, where that is not now.
  /// - Throws: `InvalidResponse` for what is no object.
  init(_ body: [UInt8], of url: String, since: Timestamp? = nil) throws(Failure) {
    guard let members = RawRecord(object: String(decoding: body, as: UTF8.self)) else {
      throw Self.unusable(url)
    }
    self.members = members
    self.url = url
    let age = since.map { max(0, Int(Timestamp.now.seconds(since: $0))) }
    mark = age.map { Array("\"ageSeconds\":\($0),\"stale\":true,".utf8) } ?? []
  }

  /// The object itself as a record.
  func record<Record: StreamRecord>(_ type: Record.Type) throws(Failure) -> Record {
    try record(members.bytes[...])
  }

  /// A member that is a record.
  func record<Record: StreamRecord>(_ name: String) throws(Failure) -> Record {
    guard let json = members.json(name) else { throw Self.unusable(url) }
    return try record(Array(json.utf8)[...])
  }

  /// A member that is an array of records.
  func list<Record: StreamRecord>(_ name: String) throws(Failure) -> [Record] {
    var records: [Record] = []
    for element in try elements(name) { records.append(try record(element)) }
    return records
  }

  /// A member that is an array of objects, each as a line.
  func lines(_ name: String) throws(Failure) -> [String] {
    try elements(name).map { String(decoding: marked($0), as: UTF8.self) }
  }

  /// Another member.
  func value<Value: Decodable>(_ name: String, _ type: Value.Type) throws(Failure) -> Value {
    guard let json = members.json(name),
      let value = try? JSONDecoder().decode(type, from: Data(json.utf8))
    else { throw Self.unusable(url) }
    return value
  }

  /// Whether there is a member that is not null.
  func has(_ name: String) -> Bool { members.contains(name) }

  /// A gate with what belongs to it.
  func gateReport() throws(Failure) -> GateReport {
    GateReport(
      gate: try record("approvalGate"), decisions: try list("decisions"),
      result: has("result") ? try record("result") : nil)
  }

  private func elements(_ name: String) throws(Failure) -> [ArraySlice<UInt8>] {
    guard let json = members.json(name), json.hasPrefix("[") else { throw Self.unusable(url) }
    return Array(JSONElements(Array(json.utf8)))
  }

  private func record<Record: StreamRecord>(_ json: ArraySlice<UInt8>) throws(Failure) -> Record {
    do throws(Failure) {
      return try Record(RawRecord(line: marked(json)))
    } catch {
      throw Self.unusable(url, cause: error.explanation)
    }
  }

  private func marked(_ json: ArraySlice<UInt8>) -> [UInt8] {
    guard !mark.isEmpty, let brace = json.firstIndex(of: UInt8(ascii: "{")) else {
      return Array(json)
    }
    return Array(json[...brace]) + mark + json[(brace + 1)...]
  }

  static func unusable(_ url: String, cause: String? = nil) -> Failure {
    Failure(
      .invalidResponse, "'\(url)' answered what is no answer to the question", url: url,
      cause: cause)
  }
}
