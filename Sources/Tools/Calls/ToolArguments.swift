public import Core
import Schemas

/// The arguments of a call, as operands of a command line: `key=value`, `key:=JSON`, or one JSON
/// object.
public enum ToolArguments {
  /// Returns the object that the given operands describe.
  ///
  /// - Parameters:
  ///   - operands: The operands.
  ///   - tool: The tool, whose schema says how the values are read.
  /// - Returns: The arguments, which are not yet checked.
  /// - Throws: `BadUsage` if an operand has none of the forms, or a key is repeated.
  public static func read(_ operands: [String], for tool: ToolRecord) throws(Failure) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for operand in operands {
      if operands.count == 1, operand.hasPrefix("{") {
        guard let value = JSONValue(json: operand.utf8), value.members != nil else {
          throw Failure(.badUsage, "the arguments are not a JSON object")
        }
        return value
      }
      let (key, value) = try pair(operand, tool)
      guard members.updateValue(value, forKey: key) == nil else {
        throw Failure(.badUsage, "the argument '\(shown(key))' is given twice")
      }
    }
    return .object(members)
  }

  private static func pair(
    _ operand: String, _ tool: ToolRecord
  ) throws(Failure) -> (key: String, value: JSONValue) {
    guard let mark = operand.firstIndex(of: "="), mark != operand.startIndex else {
      throw Failure(
        .badUsage, "'\(shown(operand))' is not an argument", nextStep: "use key=value or key:=JSON")
    }
    let text = String(operand[operand.index(after: mark)...])
    let key = String(operand[..<mark])
    guard key.hasSuffix(":"), key.count > 1 else {
      return (key, ArgumentTypes(of: key, in: tool.inputSchema).value(text))
    }
    guard let value = JSONValue(json: text.utf8) else {
      throw Failure(.badUsage, "the value of '\(shown(key))=' is not JSON")
    }
    return (String(key.dropLast()), value)
  }

  private static func shown(_ text: String) -> String { Visible.line(String(text.prefix(100))) }

  /// Checks the given arguments against the tool's schema.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - tool: The tool.
  ///   - report: The receiver of a notice if the schema cannot be used.
  /// - Throws: `BadInput` of kind `schema` with the JSON pointer of the first mismatch.
  static func check(
    _ arguments: JSONValue, for tool: ToolRecord, report: NoticeHandler
  ) throws(Failure) {
    let name = Visible.line(tool.fullName)
    guard arguments.members != nil else {
      throw Failure(
        .badInput, "the arguments of '\(name)' are not a JSON object", kind: .schema)
    }
    switch ToolSchema(tool.inputSchema) {
    case .checked(let schema):
      guard let problem = schema.problem(in: arguments) else { return }
      let reason = unknownName(arguments, tool.inputSchema, problem) ?? problem.explanation
      throw Failure(
        .badInput, "the arguments of '\(name)' do not fit: \(reason)", kind: .schema)
    case .unchecked(let reason):
      report(.once("the arguments of '\(name)' are not checked: \(reason)"))
    case .foreign(let reason):
      throw Failure(.badInput, "'\(name)' cannot be used: \(reason)", kind: .schema)
    }
  }

  /// Returns a sentence about an argument that the schema does not name, if that explains the given
  /// mismatch better; nil if it does not.
  ///
  /// A mistyped name may otherwise be reported as a missing member.
  private static func unknownName(
    _ arguments: JSONValue, _ schema: JSONValue, _ problem: SchemaProblem
  ) -> String? {
    let parts = schema.alternatives(in: schema)
    let known = Set(parts.flatMap { ($0["properties"]?.members ?? [:]).keys }).sorted()
    let isOpen = parts.contains { $0["patternProperties"] != nil }
    guard !known.isEmpty, !isOpen,
      let name = arguments.members?.keys.sorted().first(where: { !known.contains($0) }),
      problem.pointer.isEmpty || problem.pointer == "/\(name)"
    else { return nil }
    let near = ToolNames.near(name, among: known).map { known[$0] }
    let rest =
      near.isEmpty
      ? "there is \(ToolNames.list(known))" : "the nearest is \(ToolNames.list(near))"
    return "there is no argument '\(shown(name))': \(rest)"
  }

  /// Returns the failure for structured content that does not match the tool's schema; nil if it
  /// does, or if there is nothing to check.
  static func mismatch(_ result: SourceResult, of tool: ToolRecord) -> Failure? {
    guard !result.isError, let value = tool.outputSchema,
      case .checked(let schema) = ToolSchema(value)
    else { return nil }
    let name = Visible.line(tool.fullName)
    guard let content = result.structuredContent else {
      // If the schema accepts null, the content may be absent.
      guard schema.problem(in: .null) != nil else { return nil }
      return Failure(
        .invalidResponse, "the result of '\(name)' has no structured content", kind: .schema)
    }
    return schema.problem(in: content).map { problem in
      Failure(
        .invalidResponse, "the result of '\(name)' does not fit: \(problem.explanation)",
        kind: .schema)
    }
  }
}
