public import Core

/// The parts of a request to an agent.
public struct Brief: Sendable, Hashable {
  /// A text that an answer may quote.
  public struct Material: Sendable, Hashable {
    /// The name of the source: a URL, a file's name or a role.
    public var source: String
    /// The title of the source; nil if it has none.
    public var title: String?
    /// The text.
    public var text: String

    /// Creates the material.
    public init(source: String, title: String? = nil, text: String) {
      self.source = source
      self.title = title
      self.text = text
    }
  }

  /// The role of the agent that answers.
  ///
  /// The role `ceo` answers with a plan.
  public var role: Role
  /// The overall goal.
  public var goal: String
  /// The current task.
  public var task: String
  /// The URLs of pages that the user named.
  ///
  /// They are used in a plan.
  public var urls: [String]
  /// The pages that were fetched.
  public var sources: [Material]
  /// The results of earlier stages, in order.
  ///
  /// The `source` of each is the stage's role.
  public var previousWork: [Material]
  /// `true` if an answer without quotations is useful, because other stages may find some.
  public var mayBeEmpty = false

  /// Creates a brief.
  public init(
    role: Role, goal: String, task: String, urls: [String] = [], sources: [Material] = [],
    previousWork: [Material] = []
  ) {
    self.role = role
    self.goal = goal
    self.task = task
    self.urls = urls
    self.sources = sources
    self.previousWork = previousWork
  }
}
