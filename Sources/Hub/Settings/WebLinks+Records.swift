import Core
import Events

/// Methods that add the `webUrl` to records whose subject has a page.
///
/// The hub adds it to responses and never stores it.
extension WebLinks {
  /// The members that name a record's subject, and the kind of the subject's page, by record type.
  private static let subjects: [String: [(member: String, kind: Kind)]] = [
    Incident.type: [("id", .incident)],
    ApprovalGate.type: [("gateId", .gate)],
    Alert.type: [("incidentId", .incident), ("gateId", .gate), ("sessionId", .session)],
    ContextHealth.type: [("sessionId", .session)],
  ]

  /// Texts of which each line with a linked subject contains at least one.
  private static let marks = [Alert.type, ApprovalGate.type].map {
    ByteSearch(Array("\"type\":\"\($0)\"".utf8))
  }

  /// Returns the given record as JSON, with its link added.
  ///
  /// - Throws: `BadInput` if the record cannot be encoded.
  func json(_ record: some StreamRecord) throws(Failure) -> String {
    try linked(record).json()
  }

  /// Returns the given records as JSON for a response, with their links.
  ///
  /// - Throws: `BadInput` if a record cannot be encoded.
  func texts(of records: [any StreamRecord]) throws(Failure) -> [RecordJSON] {
    try records.map { (record) throws(Failure) in RecordJSON(try json(record)) }
  }

  /// Returns the given lines of the log as JSON for a response, with their links.
  func texts(ofLines lines: [String]) -> [RecordJSON] { linked(lines).map(RecordJSON.init) }

  /// Returns the given lines of the log, with their links added.
  func linked(_ lines: [String]) -> [String] {
    isEmpty ? lines : lines.map { mayHavePage($0) ? linked($0) : $0 }
  }

  private func mayHavePage(_ line: String) -> Bool {
    var line = line
    return line.withUTF8 { bytes in Self.marks.contains { $0.isFound(in: bytes) } }
  }

  private static func literal(_ text: String) -> String {
    String(decoding: JSONString.literal(text), as: UTF8.self)
  }

  /// Returns the given encoded record, with its link added.
  private func linked(_ json: String) -> String {
    guard let raw = RawRecord(object: json), let subjects = Self.subjects[raw.string("type") ?? ""]
    else { return json }
    for subject in subjects {
      guard let url = raw.string(subject.member).flatMap({ url(for: subject.kind, $0) }) else {
        continue
      }
      return String(decoding: raw.setting("webUrl", to: Self.literal(url)), as: UTF8.self)
    }
    return json
  }
}
