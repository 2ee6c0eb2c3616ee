import ArgumentParser
import Command
import Core
import Foundation
import Tools

struct CallTool: Tool {
  static let configuration = verbConfiguration(
    "call", abstract: "Call a tool, or the calls on stdin; implied without a command")

  @Argument(
    help: "The tool: SOURCE/NAME, or NAME; '-' reads toolCall records.",
    completion: .tools(Toolbox.storedNames))
  var tool: String?
  @Argument(
    help: ArgumentHelp("key=value, key:=JSON, or one JSON object.", valueName: "argument"))
  var arguments: [String] = []
  @OptionGroup var sources: SourceOptions
  @OptionGroup var option: ReadOnlyOption
  @Option(
    help: ArgumentHelp("Refuse the tool unless its schema is this.", valueName: "file"),
    completion: .file())
  var schema: String?
  @Option(help: "Run this many calls of stdin at once.")
  var jobs = 1
  @Flag(help: "Ask for permission by opening a gate.")
  var gate = false
  @Option(help: ArgumentHelp("Retry a failed request this many times.", visibility: .hidden))
  var retries: Int?
  @OptionGroup var common: CommonOptions

  private var readsRecords: Bool { tool == nil || tool == "-" }

  func validate() throws {
    guard (1...64).contains(jobs) else {
      throw ValidationError("--jobs must be between 1 and 64.")
    }
    guard retries ?? 0 >= 0 else { throw ValidationError("--retries must not be negative.") }
    guard !readsRecords || arguments.isEmpty else {
      throw ValidationError("Calls on stdin have their own arguments.")
    }
    guard !readsRecords || schema == nil else {
      throw ValidationError("--schema needs a tool.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let expected = try schema.map { (file) throws(Failure) in
      try ExpectedSchema(Session.bytes(ofFile: file, atMost: 1 << 20), file: file)
    }
    // A reader that is gone must not end the wait for a decision.
    let show: @Sendable (ApprovalGate) -> Void = { try? session.output.write($0) }
    try await session.withTools(
      sources, readOnly: option.readOnly, gate: gate ? show : nil, retries: retries
    ) { (toolbox) async throws(Failure) in
      guard let tool, !readsRecords else { return try await answer(toolbox, session) }
      let found = try await toolbox.tool(named: tool)
      let arguments = try ToolArguments.read(arguments, for: found)
      var request = ToolRequest(
        ToolCall(id: Identifier.make(), name: found.name, arguments: arguments), tool: found)
      (request.isNamed, request.expected) = (true, expected)
      let outcome = await toolbox.call(request)
      try session.write(outcome)
    }
  }

  /// Answers the calls on stdin.
  private func answer(_ toolbox: Toolbox, _ session: Session) async throws(Failure) {
    try await CallBatch(session.input(), toolbox, jobs: jobs).run { (answer) throws(Failure) in
      switch answer {
      case .outcome(let outcome, let source): try session.write(outcome, at: source)
      case .other(let record): try session.passOn(record)
      case .bad(let failure): session.fail(failure)
      }
    }
  }
}
