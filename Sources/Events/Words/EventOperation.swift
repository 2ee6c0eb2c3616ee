/// What is done in a span: the name of its events, and their attribute of that name.
public enum EventOperation: String, Sendable, CaseIterable {
  /// A model is asked.
  case chat
  /// An agent works.
  case invokeAgent = "invoke_agent"
  /// A pipeline runs.
  case invokeWorkflow = "invoke_workflow"
  /// A pipeline is planned.
  case plan
  /// An agent calls a tool.
  case executeTool = "execute_tool"
  /// A model is asked; only read.
  case generateContent = "generate_content"
  /// A model is asked; only read.
  case textCompletion = "text_completion"

  /// Whether it is the whole run of an agent or of a swarm.
  public var isRun: Bool {
    switch self {
    case .invokeAgent, .invokeWorkflow, .plan: true
    case .chat, .executeTool, .generateContent, .textCompletion: false
    }
  }

  /// Whether a model is asked.
  public var isModelCall: Bool {
    switch self {
    case .chat, .generateContent, .textCompletion: true
    case .invokeAgent, .invokeWorkflow, .plan, .executeTool: false
    }
  }
}
