public import Core

/// One page of many to be fetched.
public struct PageJob: Sendable, Hashable {
  /// The URL asked for.
  public var url: String
  /// Strings a user attached, which the page inherits.
  public var labels: [String: String]?
  /// Where the job came from, such as `<stdin>:12`, for a failure to name.
  public var input: String?
  /// Whether the site's robots.txt is asked first: so for lists and models, not for a URL that a
  /// person typed.
  public var obeysRobots = true

  /// Creates a job that obeys robots.txt.
  public init(url: String, labels: [String: String]? = nil, input: String? = nil) {
    self.url = url
    self.labels = labels
    self.input = input
  }
}

/// How one job ended.
public struct PageResult: Sendable {
  /// The job.
  public var job: PageJob
  /// Its page or why there is none.
  public var result: Result<Page, Failure>
}

extension PageFetcher {
  /// Fetches many pages at once, as many as there are, in bounded memory.
  ///
  /// Jobs are asked for one by one, so far ahead as the options say: those whose host has no turn yet
  /// wait, and others are fetched. A slow reader is no burden, since a page holds its place among
  /// those fetched at once until it is delivered. A URL that was asked for before is passed over,
  /// without a result.
  ///
  /// - Parameters:
  ///   - next: The next job, or nil when there are no more. Never called twice at once.
  ///   - deliver: Takes each result, one at a time: as it comes, or in the order of the jobs when the
  ///     options say so. When it throws, the pages in flight are given up.
  /// - Throws: What `next` or `deliver` threw.
  public func fetchAll(
    next: @escaping @Sendable () async throws(Failure) -> PageJob?,
    deliver: (PageResult) async throws(Failure) -> Void
  ) async throws(Failure) {
    var order = ResultOrder<PageResult>(isKept: options.isOrdered)
    // In order, later pages wait in memory for earlier ones.
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
          await giveUp(&group)
          return failure
        case .result(let result, let number, let holdsPlace):
          // A page that waits for its turn must not keep the one before it from being fetched.
          if holdsPlace, options.isOrdered { schedule.give() }
          do throws(Failure) {
            for result in order.end(result, number) { try await deliver(result) }
          } catch {
            if holdsPlace, !options.isOrdered { schedule.give() }
            await giveUp(&group)
            return error
          }
          if holdsPlace, !options.isOrdered { schedule.give() }
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

  /// Fetches a few pages at once, as robots.txt allows.
  ///
  /// - Parameter urls: The URLs, of which each is fetched once.
  /// - Returns: The results in the order of the URLs, without duplicates.
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
      // Neither closure throws.
    }
    return urls.compactMap { results.removeValue(forKey: $0) }
  }

  /// Ends a batch early, and gives back the places that its pages hold.
  private func giveUp(_ group: inout TaskGroup<BatchStep>) async {
    group.cancelAll()
    for await step in group {
      if case .result(_, _, holdsPlace: true) = step { schedule.give() }
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

/// What one task of a batch came back with.
private enum BatchStep: Sendable {
  case job(PageJob)
  case end
  case failed(Failure)
  /// A result, its job's number, and whether it holds a place of the schedule.
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

/// The URLs seen so far, by a 64-bit hash of each; the oldest million is remembered.
private struct SeenURLs {
  private var hashes: Set<Int> = []
  private static let maximum = 1_000_000

  /// Whether the URL is new.
  mutating func insert(_ url: String) -> Bool {
    guard hashes.count < Self.maximum || hashes.contains(url.hashValue) else { return true }
    return hashes.insert(url.hashValue).inserted
  }
}
