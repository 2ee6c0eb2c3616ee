import Core
import Foundation
import HubWords
import Watching

/// The body of a hub's response, from which the records are decoded.
struct HubReply {
  private let body: [UInt8]
  private let url: String
  /// The members that are added to each record; empty unless the response was stored.
  private let mark: [UInt8]

  /// Creates a reply from the given body.
  ///
  /// - Parameters:
  ///   - body: The bytes of the response body.
  ///   - url: The hub's URL, for failure messages.
  ///   - since: The time at which a stored response arrived; nil if the response has just arrived.
  /// - Throws: `InvalidResponse` if the body is not a JSON object.
  init(_ body: [UInt8], of url: String, since: Timestamp? = nil) throws(Failure) {
    guard RawRecord(object: String(decoding: body, as: UTF8.self)) != nil else {
      throw Self.unusable(url)
    }
    (self.body, self.url) = (body, url)
    let age = since.map { max(0, Int(Timestamp.now.seconds(since: $0))) }
    mark = age.map { Array("\"ageSeconds\":\($0),\"stale\":true,".utf8) } ?? []
  }

  /// Decodes the body as the given type of the hub's API.
  ///
  /// - Throws: `InvalidResponse` if the body does not have the form of `Word`.
  func word<Word: HubWord>(_ type: Word.Type = Word.self) throws(Failure) -> Word {
    do {
      return try Word(json: body)
    } catch {
      throw Self.unusable(url)
    }
  }

  /// Decodes the body as a single record.
  func record<Record: StreamRecord>() throws(Failure) -> Record {
    try record(RecordJSON(String(decoding: body, as: UTF8.self)))
  }

  /// Decodes the given record, which is a part of the body.
  func record<Record: StreamRecord>(_ text: RecordJSON) throws(Failure) -> Record {
    do throws(Failure) {
      return try Record(json: line(text))
    } catch {
      throw Self.unusable(url, cause: error.explanation)
    }
  }

  /// Decodes the given records, which are parts of the body.
  func list<Record: StreamRecord>(_ texts: [RecordJSON]) throws(Failure) -> [Record] {
    try texts.map { (text) throws(Failure) in try record(text) }
  }

  /// Returns the given record, which is a part of the body, as a line.
  func line(_ text: RecordJSON) -> String {
    let json = Array(text.json.utf8)
    guard !mark.isEmpty, let brace = json.firstIndex(of: UInt8(ascii: "{")) else {
      return text.json
    }
    return String(decoding: json[...brace] + mark + json[(brace + 1)...], as: UTF8.self)
  }

  /// Decodes the body as a gate with its decisions and the result to be approved.
  func gateReport() throws(Failure) -> GateReport {
    let answer = try word(GateAnswer.self)
    return GateReport(
      gate: try record(answer.approvalGate), decisions: try list(answer.decisions),
      result: try answer.result.map { (result) throws(Failure) in try record(result) })
  }

  private static func unusable(_ url: String, cause: String? = nil) -> Failure {
    Failure(
      .invalidResponse, "'\(url)' sent an unexpected answer", url: url,
      cause: cause)
  }
}
