import Core
import Foundation
import Testing

/// `man/agentpipes.5` describes the records as the sources have them, `man/agentpipes.7` the failures.
struct RecordPageTests {
  /// One record type, as far as its section needs it.
  struct Record: Sendable, CustomTestStringConvertible {
    var type: String
    var members: Set<String>
    var rewritten: @Sendable (String) throws -> String

    init<Model: StreamRecord>(_ model: Model.Type) {
      type = model.type
      members = Set(model.memberNames)
      rewritten = { try Model(json: $0).json() }
    }

    var testDescription: String { type }
  }

  static let records = [
    Record(Goal.self), Record(Pipeline.self), Record(Stage.self), Record(Delta.self),
    Record(Artifact.self), Record(FileRecord.self), Record(URLRecord.self), Record(Page.self),
    Record(Project.self), Record(Chat.self), Record(Message.self), Record(ToolCall.self),
    Record(ModelRecord.self), Record(PriceChange.self), Record(KeyRecord.self),
    Record(HostKeyRecord.self),
    Record(ApprovalGate.self), Record(DecisionReceipt.self), Record(TraceEvent.self),
    Record(Log.self), Record(Gap.self), Record(Metric.self), Record(Alert.self),
    Record(Control.self), Record(ControlReceipt.self), Record(AuditEntry.self),
    Record(Overview.self), Record(Swarm.self), Record(Agent.self), Record(Incident.self),
    Record(ContextHealth.self), Record(SkillHealth.self), Record(UsageSum.self),
    Record(Threshold.self),
    Record(TerminalSession.self), Record(TerminalOutput.self), Record(TerminalEvent.self),
    Record(TerminalSnapshot.self), Record(Suppressed.self), Record(Device.self),
    Record(Pairing.self), Record(PairedHost.self), Record(PairingStatus.self),
    Record(ErrorRecord.self),
  ]

  @Test func `every record type has a section`() throws {
    let folder = "Sources/Core/Models/"
    let types = try Repository.names(in: folder).flatMap { name in
      try Repository.text(folder + name)
        .matches(of: #/static let type = "(\w+)"/#).map { String($0.1) }
    }
    let sections = try ManualPage("agentpipes.5").recordSections
    #expect(Set(sections) == Set(types), "the '.Ss' of man/agentpipes.5")
    #expect(Set(Self.records.map(\.type)) == Set(types), "the list of records in this test")
  }

  @Test(arguments: records)
  func `an example is a line as the tools write it`(record: Record) throws {
    let example = try ManualPage("agentpipes.5").example(inSubsection: record.type)
    #expect(try record.rewritten(example) == example)
  }

  @Test(arguments: records)
  func `every member is explained and no others`(record: Record) throws {
    let members = try ManualPage("agentpipes.5").members(inSubsection: record.type)
    #expect(Set(members.keys) == record.members, "the '.It Cm' under '.Ss \(record.type)'")
  }

  @Test(arguments: records)
  func `an example has the members that are always there`(record: Record) throws {
    let page = try ManualPage("agentpipes.5")
    let example = try RawRecord(line: Array(page.example(inSubsection: record.type).utf8))
    for (name, isAlwaysThere) in page.members(inSubsection: record.type) where isAlwaysThere {
      #expect(example.contains(name), "'\(name)' is marked with an asterisk")
    }
  }

  @Test func `every usage count is explained`() throws {
    let usage = Usage(cacheWrite1hTokens: 0, reasoningTokens: 0)
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(usage))
    let names = try #require(object as? [String: Any]).keys
    let explained = try ManualPage("agentpipes.5").members(inSubsection: "Tokens").keys
    #expect(Set(explained) == Set(names))
  }

  @Test func `the failure table has every code with its exit status`() throws {
    let rows = try ManualPage("agentpipes.7").rows(inSection: "EXIT STATUS")
    let listed = rows.map { $0.prefix(2).joined(separator: " ") }
    let known = FailureCode.allCases.map { code in
      "\(code.rawValue) \(code == .interrupted ? "signal" : "\(code.exitStatus)")"
    }
    #expect(listed == known, "the '.It Er' of man/agentpipes.7, in the order of FailureCode.swift")
  }
}
