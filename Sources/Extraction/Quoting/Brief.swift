public import Core

/// The parts of a request, which its text expresses in prose.
public struct Brief: Sendable, Hashable {
  /// A text to quote from.
  public struct Material: Sendable, Hashable {
    /// The name of the source: a URL, a file's name or a role.
    public var source: String
    /// The title, if there is one.
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

  /// The role that answers; the CEO plans.
  public var role: Role
  /// The overall goal.
  public var goal: String
  /// The current task.
  public var task: String
  /// The pages that the user named, for a plan.
  public var urls: [String]
  /// The fetched pages.
  public var sources: [Material]
  /// The results of earlier stages in order; `source` is the role.
  public var previousWork: [Material]

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
