import Core
import Events
import Fetching
import Providers

extension PipelineRun {
  /// The results that a stage builds on, in the order of their stages.
  func previousWork(before stage: Stage) throws(Failure) -> [Artifact] {
    let earlier = stages.filter { $0.position < stage.position }
    guard !earlier.isEmpty else { return [] }
    let artifacts = try store.artifacts(of: pipeline.id)
    return earlier.compactMap { earlier in artifacts.last { $0.stageId == earlier.id } }
  }

  /// Reads a researcher's pages; what cannot be read is listed with the reason, never fatal.
  func read(_ urls: [String], for stage: inout Stage) async -> [Page] {
    guard stage.role == .researcher else { return [] }
    var pages = pages
    let known = Set(pages.map(\.url))
    var sources = pages.map { Source($0) }
    let wanted = urls.filter { !known.contains($0) }
    if !wanted.isEmpty {
      let fetcher = services.fetcher(options.allowPrivate ?? false)
      let began = Timestamp.now
      defer { Diagnostics.shared.timing(stage.role, "pages", since: began) }
      for fetched in await fetcher.fetchAll(wanted) {
        switch fetched.result {
        case .success(let page):
          pages.append(page)
          sources.append(Source(page))
        case .failure(let failure):
          sources.append(Source(url: fetched.job.url, status: failure.status, error: failure))
        }
      }
    }
    stage.sources = sources.isEmpty ? nil : sources
    return pages
  }
}

extension Diagnostics {
  /// Tells how long a step took.
  func timing(_ role: Role, _ step: String, since began: Timestamp) {
    timing("\(role.rawValue) \(step)", seconds: Timestamp.now.seconds(since: began))
  }
}

extension Source {
  fileprivate init(_ page: Page) {
    self.init(
      url: page.path ?? page.url, status: page.status, characters: page.characters,
      truncated: page.truncated, error: page.error)
  }
}

extension ModelRequest {
  /// Which part of it repeats itself.
  var redundancy: Double? {
    var redundancy = Redundancy()
    redundancy.add(system)
    for turn in turns { redundancy.add(turn.text) }
    return redundancy.score
  }
}
