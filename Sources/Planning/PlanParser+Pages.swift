import Core
import Pipelines

extension PlanParser.Plan {
  /// The task of a researcher that is added because the model planned none.
  private static let task = "Read the named pages, and gather what they say about the goal."

  /// Adds the pages that a person names in the given goal to the first researcher.
  ///
  /// Pages named apart from the text come before those of the model. If there is no researcher,
  /// one is added as the first step. Pages in the goal's text are added only if no step names them
  /// and the researcher has room for them, because the text may name pages for other reasons. The
  /// same holds for the pages that were named before, which a goal that names pages replaces.
  mutating func read(pagesOf goal: Goal, before earlier: [String]) {
    let named = Set(steps.flatMap(\.namedPages))
    var first = steps.firstIndex { $0.role == .researcher }
    if first == nil, goal.urls?.isEmpty == false {
      steps.insert(.init(role: .researcher, task: Self.task, researchURLs: []), at: 0)
      first = 0
    }
    guard let first else { return }
    steps[first].researchURLs = (goal.urls ?? []) + steps[first].researchURLs
    let room = NamedPages.maximum - steps[first].namedPages.count
    let told = NamedPages.urls(in: goal.text)
    let others = told.isEmpty && goal.urls?.isEmpty ?? true ? earlier : told
    steps[first].researchURLs += others.filter { !named.contains($0) }.prefix(max(0, room))
    var seen = Set<String>()
    steps[first].researchURLs.removeAll { !seen.insert($0).inserted }
  }

  /// Returns one sentence for each of the given pages that no step reads.
  func unread(_ urls: [String]) -> [String] {
    let named = steps.map(\.namedPages)
    let read = Set(named.flatMap { $0.prefix(NamedPages.maximum) })
    return urls.filter { !read.contains($0) }.map {
      "page '\($0)': a researcher reads at most \(NamedPages.maximum) pages"
    }
  }
}

extension PlanParser.Step {
  /// The pages that the step's stage names, without repetition.
  fileprivate var namedPages: [String] {
    NamedPages.of(
      Stage(id: "", pipelineId: "", position: 0, role: role, task: task).with {
        $0.researchURLs = researchURLs
      })
  }
}
