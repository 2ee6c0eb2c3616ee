public import Core

/// A page that a batch must fetch.
public struct PageJob: Sendable, Hashable {
  /// The requested URL.
  public var url: String
  /// The labels of the job, which the page inherits.
  public var labels: [String: String]?
  /// The position from which the job was read, such as `<stdin>:12`.
  ///
  /// Failures name it.
  public var input: String?
  /// `true` to check the site's robots.txt first; `false` for a URL that a person typed.
  public var obeysRobots = true

  /// Creates a job that obeys robots.txt.
  public init(url: String, labels: [String: String]? = nil, input: String? = nil) {
    self.url = url
    self.labels = labels
    self.input = input
  }
}

/// The result of one job.
public struct PageResult: Sendable {
  /// The job that was done.
  public var job: PageJob
  /// The fetched page, or the failure to fetch it.
  public var result: Result<Page, Failure>
}

extension PageFetcher {
  /// Fetches any number of pages in parallel, in bounded memory.
  ///
  /// While jobs wait for their hosts, other jobs are fetched. The options limit the number of
  /// waiting jobs. A page counts as in flight until it is delivered, so a slow reader of the
  /// results causes no backlog. A repeated URL is skipped and has no result.
  ///
  /// - Parameters:
  ///   - next: A function that returns the next job; nil at the end. Calls never overlap.
  ///   - deliver: A function that receives each result, one at a time. Results are in the order in
  ///     which they arrive or in the order of the jobs. If it throws, the pages in flight are
  ///     cancelled.
  /// - Throws: Any error that `next` or `deliver` throws.
  public func fetchAll(
    next: @escaping @Sendable () async throws(Failure) -> PageJob?,
    deliver: (PageResult) async throws(Failure) -> Void
  ) async throws(Failure) {
    var order = ResultOrder<PageResult>(isKept: options.isOrdered)
    // With ordered results, later pages wait in memory for earlier pages.
    let parallel = max(1, options.parallel)
    let window = options.isOrdered ? max(parallel, min(8 * parallel, 256)) : options.lookAhead
    let limit = max(parallel, window)
    var seen = SeenURLs()
    let failure: Failure? = await withTaskGroup(of: BatchStep.self) { group in
      var isAsking = true
      var isDone = false
      group.addTask { await BatchStep(asking: next) }
      while let step = await group.next() {
        switch step {
        case .job(let job):
          isAsking = false
          if seen.insert(job.url) {
            let number = order.begin()
            group.addTask { await fetch(job, number) }
          }
        case .end:
          isAsking = false
          isDone = true
        case .failed(let failure):
          await cancel(&group)
          return failure
        case .result(let result, let number, let holdsPlace):
          // A page that waits for delivery must not block the fetch of the page before it.
          if holdsPlace, options.isOrdered { schedule.release() }
          do throws(Failure) {
            for result in order.end(result, number) { try await deliver(result) }
          } catch {
            if holdsPlace, !options.isOrdered { schedule.release() }
            await cancel(&group)
            return error
          }
          if holdsPlace, !options.isOrdered { schedule.release() }
        }
        if !isDone, !isAsking, order.unfinished < limit {
          isAsking = true
          group.addTask { await BatchStep(asking: next) }
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Fetches the given pages in parallel, except those that robots.txt does not allow.
  ///
  /// - Parameter urls: The URLs. A repeated URL is fetched once.
  /// - Returns: The results, one for each different URL, in the order of the URLs.
  public func fetchAll(_ urls: [String]) async -> [PageResult] {
    var results: [String: PageResult] = [:]
    let source = JobSource(urls)
    do {
      try await fetchAll { () throws(Failure) in
        await source.next()
      } deliver: { (result) throws(Failure) in
        results[result.job.url] = result
      }
    } catch {
      // Neither closure throws an error.
    }
    return urls.compactMap { results.removeValue(forKey: $0) }
  }

  /// Ends a batch early, and releases the places in the schedule that its pages hold.
  private func cancel(_ group: inout TaskGroup<BatchStep>) async {
    group.cancelAll()
    for await step in group {
      if case .result(_, _, holdsPlace: true) = step { schedule.release() }
    }
  }

  private func fetch(_ job: PageJob, _ number: Int) async -> BatchStep {
    let (result, holdsPlace) = await result(
      of: job.url, obeysRobots: job.obeysRobots, number: number)
    let labelled = result.map { page in
      var page = page
      page.labels = job.labels
      return page
    }.mapError { failure in job.input.map { failure.at($0) } ?? failure }
    return .result(PageResult(job: job, result: labelled), number, holdsPlace: holdsPlace)
  }
}

/// The result of one task in a batch.
private enum BatchStep: Sendable {
  case job(PageJob)
  case end
  case failed(Failure)
  /// The result of a job, and the job's number.
  ///
  /// The flag is `true` if the page holds a place in the schedule.
  case result(PageResult, Int, holdsPlace: Bool)

  init(asking next: @Sendable () async throws(Failure) -> PageJob?) async {
    do {
      self = try await next().map { .job($0) } ?? .end
    } catch {
      self = .failed(error)
    }
  }
}

private actor JobSource {
  private var urls: ArraySlice<String>

  init(_ urls: [String]) { self.urls = urls[...] }

  func next() -> PageJob? { urls.popFirst().map { PageJob(url: $0) } }
}

/// The first million different URLs of a batch, as 64-bit hashes.
private struct SeenURLs {
  private var hashes: Set<Int> = []
  private static let maximum = 1_000_000

  /// Inserts the given URL.
  ///
  /// - Returns: `true` if the URL is new.
  mutating func insert(_ url: String) -> Bool {
    guard hashes.count < Self.maximum || hashes.contains(url.hashValue) else { return true }
    return hashes.insert(url.hashValue).inserted
  }
}
