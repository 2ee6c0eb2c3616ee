import Core
import Events
import Extraction
import Fetching
import Pipelines
import Providers
import Storage

extension PipelineRun {
  /// Returns the results of the stages at earlier positions than the given stage, in the stages'
  /// order.
  func previousWork(before stage: Stage) throws(Failure) -> [Artifact] {
    let earlier = stages.filter { $0.position < stage.position }
    guard !earlier.isEmpty else { return [] }
    let artifacts = try store.artifacts(of: pipeline.id)
    return earlier.compactMap { earlier in artifacts.last { $0.stageId == earlier.id } }
  }

  /// Reads the pages of a researcher.
  ///
  /// A page that cannot be read is listed and reported, but the stage continues.
  func read(_ urls: [String], for stage: inout Stage, _ choice: ModelChoice) async -> [Page] {
    guard stage.role == .researcher else { return [] }
    var pages = pages
    let known = Set(pages.map(\.url))
    var sources = pages.map { Source($0) }
    let wanted = urls.prefix(NamedPages.maximum).filter { !known.contains($0) }
    if !wanted.isEmpty {
      let fetcher = services.fetcher(options.allowPrivate ?? false)
      let began = Timestamp.now
      defer { services.reportTime(of: "pages", stage.role, since: began) }
      for fetched in await fetcher.fetchAll(wanted) {
        switch fetched.result {
        case .success(let page):
          pages.append(page)
          sources.append(Source(page))
        case .failure(let failure):
          sources.append(
            Source(
              url: ShownURL.withoutUserinfo(fetched.job.url), status: failure.status, error: failure
            ))
        }
      }
    }
    for url in urls.dropFirst(NamedPages.maximum) where !known.contains(url) {
      sources.append(Source(tooMany: url))
    }
    let hasNothing = !pages.contains { $0.hasText } && choice.name == ExtractiveProvider.modelName
    stage.sources = sources.isEmpty && !hasNothing ? nil : sources
    reportMissing(stage)
    return pages
  }

  /// Returns `true` if another researcher has quoted something, or may still do so.
  ///
  /// The given researcher may then end without a quotation, like one whose pages cannot be read.
  func othersMayQuote(_ stage: Stage) throws(Failure) -> Bool {
    guard stage.role == .researcher else { return false }
    let others = stages.filter {
      $0.id != stage.id && $0.role == .researcher && !NamedPages.of($0).isEmpty
    }
    let results = others.isEmpty ? [] : try store.artifacts(of: pipeline.id)
    return others.contains { other in
      results.last { $0.stageId == other.id }.map { $0.emptyReason == nil } ?? true
    }
  }

  /// Returns the reason why the given stage's result has no content.
  ///
  /// - Parameters:
  ///   - stage: The stage.
  ///   - previous: The results of earlier stages.
  ///   - choice: The model of the stage.
  ///   - answer: The model's answer; nil if there is none.
  /// - Returns: The reason; nil if a model wrote the result or quoted text.
  func emptyReason(
    of stage: Stage, previous: [Artifact], _ choice: ModelChoice, _ answer: ModelAnswer?
  ) -> String? {
    guard choice.name == ExtractiveProvider.modelName else { return nil }
    guard stage.role == .researcher else {
      return previous.contains { $0.emptyReason == nil } ? nil : previous.first?.emptyReason
    }
    guard let reason = answer?.emptyReason else { return nil }
    let lack = reason == .noSources ? "there is no page" : "no sentence of the pages is suitable"
    services.report(.sentence("\(stage.role.rawValue): \(lack) to quote, so its result is empty"))
    return reason.rawValue
  }

  /// Reports the sources of the given researcher's stage that could not be read.
  private func reportMissing(_ stage: Stage) {
    let role = stage.role.rawValue
    for source in stage.sources ?? [] {
      guard let error = source.error else { continue }
      let isNamed = error.explanation.contains(source.url)
      services.report("\(role): \(isNamed ? "" : "'\(source.url)': ")\(error.sentence)")
    }
  }
}

extension Page {
  /// `true` if the page has visible text.
  fileprivate var hasText: Bool { (self.markdown ?? self.text ?? "").contains { !$0.isWhitespace } }
}

extension RunServices {
  /// Reports the duration of the given step.
  func reportTime(of step: String, _ role: Role, since began: Timestamp) {
    report(.timing("\(role.rawValue) \(step)", seconds: Timestamp.now.seconds(since: began)))
  }
}

extension Source {
  /// Returns the sources from which no text could be read.
  static func unread(_ sources: [Source]?) -> [Source] {
    (sources ?? []).filter { $0.error != nil && ($0.characters ?? 0) == 0 }
  }

  /// Returns a section that lists the unread sources, for the end of the result; empty if there are
  /// none.
  static func section(unread sources: [Source]?) -> String {
    let lines = unread(sources).map { source in
      "- `\(Visible.line(source.url).replacing("`", with: "'"))`: "
        + (source.error?.kind == .tooMany
          ? "one page too many" : source.error?.code.title.lowercased() ?? "")
        + (source.status.map { " (HTTP \($0))" } ?? "")
    }
    return lines.isEmpty ? "" : "\n\n## Not read\n\n" + lines.joined(separator: "\n")
  }

  /// Creates the source for a page that is not read because too many pages are named.
  fileprivate init(tooMany url: String) {
    let url = ShownURL.withoutUserinfo(url)
    self.init(
      url: url,
      error: Failure(
        .pageRefused,
        "skipped '\(Visible.line(url))': a researcher reads at most \(NamedPages.maximum) pages",
        kind: .tooMany, url: url))
  }

  fileprivate init(_ page: Page) {
    self.init(
      url: page.path ?? ShownURL.withoutUserinfo(page.url), status: page.status,
      characters: page.characters,
      truncated: page.truncated, error: page.error)
  }
}

extension ModelRequest {
  /// The fraction of the request's text that is repetition; nil if unknown.
  var redundancy: Double? {
    var redundancy = Redundancy()
    redundancy.add(system)
    for turn in turns { redundancy.add(turn.text) }
    return redundancy.score
  }
}

extension FailureKind {
  /// The kind of the failure for a page that is not read because too many pages are named.
  static let tooMany = Self(rawValue: "tooMany")
}
