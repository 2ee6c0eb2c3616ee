public import Asking
public import Core
public import Providers

/// The tools that a model may call: those that match patterns, under names that all providers
/// accept.
public struct OfferedTools: ToolBench {
  private let toolbox: Toolbox
  /// The tools by the names under which they are offered.
  private let tools: [String: ToolRecord]
  /// The tools that are offered, in the order of their sources.
  public let offers: [ToolOffer]

  /// Chooses the tools that match one of the given patterns.
  ///
  /// Stored lists are used, so a server starts only if its list is missing.
  ///
  /// - Parameters:
  ///   - toolbox: The tools of all sources.
  ///   - patterns: The patterns.
  /// - Throws: `NotFound` if a pattern matches no tool; the failure of a source if it may have the
  ///   tool.
  public init(_ toolbox: Toolbox, matching patterns: [String]) async throws(Failure) {
    let wanted = patterns.map(ToolPattern.init)
    let sources = toolbox.sourceNames
    var (all, failure) = try await Self.listed(in: toolbox, wanted)
    for pattern in wanted where !all.contains(where: { pattern.chooses($0, among: sources) }) {
      if let tool = try await toolbox.unlisted(pattern.text), toolbox.admits(tool) {
        all.append(tool)
        continue
      }
      let words = toolbox.isReadOnly ? "no tool that is marked as read-only" : "no tool"
      throw failure
        ?? Failure(
          .notFound, "\(words) matches '\(Visible.line(pattern.text))'", input: pattern.text,
          nextStep: "run 'tool-call list'")
    }
    let chosen = all.filter { tool in wanted.contains { $0.chooses(tool, among: sources) } }
    self.init(toolbox, chosen)
  }

  /// Chooses the tools that match a pattern of the configuration, and of those only the ones that a
  /// companion asks for.
  ///
  /// - Parameters:
  ///   - toolbox: The tools of all sources.
  ///   - patterns: The patterns of the configuration.
  ///   - requested: The tools that the companion asks for, which may be patterns; those that are not
  ///     there are left out.
  /// - Throws: `Interrupted`.
  public init(
    _ toolbox: Toolbox, matching patterns: [String], requested: [String]
  ) async throws(Failure) {
    let (served, wanted) = (patterns.map(ToolPattern.init), requested.map(ToolPattern.init))
    let (all, _) = try await Self.listed(in: toolbox, served)
    self.init(
      toolbox,
      all.filter { tool in
        served.contains { $0.matches(tool) } && wanted.contains { $0.matches(tool) }
      })
  }

  /// Returns the tools of the sources that the given patterns may name, and the first failure of a
  /// list.
  private static func listed(
    in toolbox: Toolbox, _ wanted: [ToolPattern]
  ) async throws(Failure) -> (tools: [ToolRecord], failure: Failure?) {
    var (all, failure): ([ToolRecord], Failure?) = ([], nil)
    // A source that no pattern can name is not asked.
    let sources = toolbox.sourceNames
    for source in sources
    where wanted.contains(where: { $0.mayMatch(source: source, among: sources) }) {
      for list in try await toolbox.lists(of: source) {
        do throws(Failure) {
          all += try list.get()
        } catch {
          guard error.code != .interrupted else { throw error }
          failure = failure ?? error
          toolbox.report(.sentence("skipped \(source): \(error.sentence)"))
        }
      }
    }
    return (all, failure)
  }

  private init(_ toolbox: Toolbox, _ chosen: [ToolRecord]) {
    var tools: [String: ToolRecord] = [:]
    var offers: [ToolOffer] = []
    for tool in chosen {
      let name = ToolOffer.name(of: tool.name, from: tool.source)
      guard tools[name] == nil else { continue }
      do throws(Failure) {
        offers.append(try ToolOffer(tool, as: name))
        tools[name] = tool
      } catch {
        toolbox.report(
          .sentence("'\(Visible.line(tool.fullName))' is not offered: \(error.sentence)"))
      }
    }
    (self.toolbox, self.tools, self.offers) = (toolbox, tools, offers)
  }

  /// `true` if a person stopped all further calls.
  public var isStopped: Bool { toolbox.consent.isStopped }

  /// Goes on with the session that a chat has at Composio's router, if one of its tools is offered.
  public func routerSession(after id: String?) async throws(Failure) -> String? {
    guard tools.values.contains(where: { $0.source == ComposioSource.name }) else { return nil }
    return try await toolbox.continueComposio(id)
  }

  /// Returns the given call with the tool's own name and source.
  public func named(_ call: ToolCall) -> ToolCall {
    guard let tool = tools[call.name] else { return call }
    return call.with { ($0.name, $0.source) = (tool.name, tool.source) }
  }

  /// Obtains the permission for the given call, and calls the tool.
  public func call(
    _ call: ToolCall, in chatId: String?,
    begin: @escaping @Sendable (_ consent: String) async throws(Failure) -> Void
  ) async -> ToolResult {
    let offered = tools.values.first { $0.name == call.name && $0.source == call.source }
    guard let offered else {
      var result = ToolResult(id: call.id, name: call.name, isError: true)
      result.source = call.source
      result.error = Failure(
        .notFound, "no tool '\(Visible.line(String(call.name.prefix(200))))' was offered",
        input: call.name)
      return result
    }
    var request = ToolRequest(call, tool: offered)
    request.chatId = chatId
    let outcome = await toolbox.call(request) { (permission) async throws(Failure) in
      try await begin(permission.rawValue)
    }
    if let mismatch = outcome.mismatch { toolbox.report(.sentence(mismatch.explanation)) }
    return outcome.result
  }
}
