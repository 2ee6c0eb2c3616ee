public import Core

/// What a request is about, in its parts: the same that its text says in prose.
public struct Brief: Sendable, Hashable {
  /// A text to draw on.
  public struct Material: Sendable, Hashable {
    /// What to call it: a URL, a file's name, a role.
    public var source: String
    /// A heading, where it has one.
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

  /// Who is asked; the CEO plans.
  public var role: Role
  /// The goal of the whole.
  public var goal: String
  /// What is to be done now.
  public var task: String
  /// Pages that the user named, for a plan.
  public var urls: [String]
  /// Fetched pages.
  public var sources: [Material]
  /// What earlier stages made, in order; `source` is the role.
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
