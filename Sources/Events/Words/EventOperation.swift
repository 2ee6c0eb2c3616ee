/// The operation of a span, which names the span's events and is one of their attributes.
public enum EventOperation: String, Sendable, CaseIterable {
  /// A request to a model.
  case chat
  /// The run of an agent.
  case invokeAgent = "invoke_agent"
  /// The run of a pipeline.
  case invokeWorkflow = "invoke_workflow"
  /// The planning of a pipeline.
  case plan
  /// A tool call of an agent.
  case executeTool = "execute_tool"
  /// A request to a model; this operation is read but never written.
  case generateContent = "generate_content"
  /// A request to a model; this operation is read but never written.
  case textCompletion = "text_completion"

  /// `true` if the span covers the whole run of an agent or swarm.
  public var isRun: Bool {
    switch self {
    case .invokeAgent, .invokeWorkflow, .plan: true
    case .chat, .executeTool, .generateContent, .textCompletion: false
    }
  }

  /// `true` if the operation is a request to a model.
  public var isModelCall: Bool {
    switch self {
    case .chat, .generateContent, .textCompletion: true
    case .invokeAgent, .invokeWorkflow, .plan, .executeTool: false
    }
  }
}
