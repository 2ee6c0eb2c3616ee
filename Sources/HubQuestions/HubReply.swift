import Core
import Foundation
import HubWords
import Watching

/// The body of a hub's answer, with the records in it as this machine tells them.
struct HubReply {
  private let body: [UInt8]
  private let url: String
  /// What is put into each record that is not what the hub says now.
  private let mark: [UInt8]

  /// Takes a body.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - url: The hub, for failures.
  ///   - since: When the hub said it, where that is not now.
  /// - Throws: `InvalidResponse` for what is no object.
  init(_ body: [UInt8], of url: String, since: Timestamp? = nil) throws(Failure) {
    guard RawRecord(object: String(decoding: body, as: UTF8.self)) != nil else {
      throw Self.unusable(url)
    }
    (self.body, self.url) = (body, url)
    let age = since.map { max(0, Int(Timestamp.now.seconds(since: $0))) }
    mark = age.map { Array("\"ageSeconds\":\($0),\"stale\":true,".utf8) } ?? []
  }

  /// Returns the body as an answer of the API.
  ///
  /// - Throws: `InvalidResponse` for another body.
  func word<Word: HubWord>(_ type: Word.Type = Word.self) throws(Failure) -> Word {
    do {
      return try Word(json: body)
    } catch {
      throw Self.unusable(url)
    }
  }

  /// Returns the record that the body is.
  func record<Record: StreamRecord>() throws(Failure) -> Record {
    try record(RecordJSON(String(decoding: body, as: UTF8.self)))
  }

  /// Returns a record in the body.
  func record<Record: StreamRecord>(_ text: RecordJSON) throws(Failure) -> Record {
    do throws(Failure) {
      return try Record(json: line(text))
    } catch {
      throw Self.unusable(url, cause: error.explanation)
    }
  }

  /// Returns records in the body.
  func list<Record: StreamRecord>(_ texts: [RecordJSON]) throws(Failure) -> [Record] {
    try texts.map { (text) throws(Failure) in try record(text) }
  }

  /// Returns a record in the body as a line.
  func line(_ text: RecordJSON) -> String {
    let json = Array(text.json.utf8)
    guard !mark.isEmpty, let brace = json.firstIndex(of: UInt8(ascii: "{")) else {
      return text.json
    }
    return String(decoding: json[...brace] + mark + json[(brace + 1)...], as: UTF8.self)
  }

  /// Returns a gate with what belongs to it.
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
