import Core
import Foundation
import Testing

/// The pages of section 5 describe the records of the sources, `man/agentpipes.7` the failures.
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

    /// Returns the page that has the section of this type.
    func page() throws -> ManualPage {
      try #require(
        try RecordPageTests.pages().first { $0.recordSections.contains(type) },
        "no page has '.Ss \(type)'")
    }
  }

  static let records = [
    Record(Goal.self), Record(Pipeline.self), Record(Stage.self), Record(Delta.self),
    Record(Artifact.self), Record(FileRecord.self), Record(URLRecord.self), Record(Page.self),
    Record(Project.self), Record(Chat.self), Record(Message.self), Record(ToolCall.self),
    Record(ToolRecord.self), Record(ToolResult.self),
    Record(ModelRecord.self), Record(PriceChange.self), Record(KeyRecord.self),
    Record(HostKeyRecord.self),
    Record(ApprovalGate.self), Record(DecisionReceipt.self), Record(TraceEvent.self),
    Record(Log.self), Record(Gap.self), Record(Metric.self), Record(Alert.self),
    Record(Control.self), Record(ControlReceipt.self), Record(AuditEntry.self),
    Record(Overview.self), Record(Swarm.self), Record(Agent.self), Record(Incident.self),
    Record(ContextHealth.self), Record(SkillHealth.self), Record(UsageSum.self),
    Record(Adoption.self), Record(Threshold.self), Record(Delivery.self),
    Record(ResponseTimes.self),
    Record(TerminalSession.self), Record(TerminalOutput.self), Record(TerminalEvent.self),
    Record(TerminalSnapshot.self), Record(Suppressed.self), Record(Device.self),
    Record(Pairing.self), Record(PairedHost.self), Record(PairingStatus.self),
    Record(Check.self),
    Record(ErrorRecord.self),
  ]

  /// Returns the pages of section 5.
  static func pages() throws -> [ManualPage] {
    try Repository.names(in: "man").filter { $0.hasSuffix(".5") }.map { try ManualPage($0) }
  }

  @Test func `every record type has one section`() throws {
    let folder = "Sources/Core/Models/"
    let types = try Repository.names(in: folder).flatMap { name in
      try Repository.text(folder + name)
        .matches(of: #/static let type = "(\w+)"/#).map { String($0.1) }
    }
    let sections = try Self.pages().flatMap(\.recordSections)
    #expect(sections.sorted() == Set(types).sorted(), "the '.Ss' of man/*.5")
    #expect(Set(Self.records.map(\.type)) == Set(types), "the list of records in this test")
  }

  @Test(arguments: records)
  func `an example is a line as the tools write it`(record: Record) throws {
    let example = try record.page().example(inSubsection: record.type)
    #expect(try record.rewritten(example) == example)
  }

  @Test func `tables of members and of types are what the schemas generate`() throws {
    let process = Process()
    process.executableURL = Repository.root.appending(path: "scripts/generate-pages")
    process.arguments = ["--check"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "run 'scripts/generate-pages'")
  }

  @Test(arguments: records)
  func `an example has the members that are always there`(record: Record) throws {
    let page = try record.page()
    let example = try RawRecord(line: Array(page.example(inSubsection: record.type).utf8))
    for (name, isAlwaysThere) in page.members(inSubsection: record.type) where isAlwaysThere {
      #expect(example.contains(name), "'\(name)' is marked with an asterisk")
    }
  }

  @Test func `every usage count is explained`() throws {
    let usage = Usage(cacheWrite1hTokens: 0, reasoningTokens: 0)
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(usage))
    let names = try #require(object as? [String: Any]).keys
    let explained = try ManualPage("agentpipes-runs.5").members(inSubsection: "Tokens").keys
    #expect(Set(explained) == Set(names))
  }

  @Test func `the failure table has every code with its exit status`() throws {
    let rows = try ManualPage("agentpipes.7").rows(inSection: "EXIT STATUS")
    let listed = rows.map { $0.prefix(2).joined(separator: " ") }
    let known = FailureCode.allCases.flatMap { code in
      code.exitStatuses.map { "\(code.rawValue) \(code == .interrupted ? "signal" : "\($0)")" }
    }
    #expect(listed == known, "the '.It Er' of man/agentpipes.7, in the order of FailureCode.swift")
  }
}
