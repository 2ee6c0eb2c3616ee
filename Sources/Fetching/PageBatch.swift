public import Core

/// One page of many to be fetched.
public struct PageJob: Sendable, Hashable {
  /// The URL asked for.
  public var url: String
  /// Strings a user attached, which the page inherits.
  public var labels: [String: String]?
  /// Where the job came from, such as `<stdin>:12`, for a failure to name.
  public var input: String?

  /// Creates a job.
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
  /// Jobs are asked for one by one and only while fewer than `parallel` pages are being fetched, so
  /// that a source without end is no burden; nor is a slow reader, since results wait for it. A
  /// URL that was asked for before is passed over, without a result.
  ///
  /// - Parameters:
  ///   - parallel: How many pages are fetched at a time.
  ///   - next: The next job, or nil when there are no more. Never called twice at once.
  ///   - deliver: Takes each result as it comes, one at a time, in no order. When it throws, the
  ///     pages in flight are given up.
  /// - Throws: What `next` or `deliver` threw.
  public func fetchAll(
    parallel: Int = 32, next: @escaping @Sendable () async throws(Failure) -> PageJob?,
    deliver: (PageResult) async throws(Failure) -> Void
  ) async throws(Failure) {
    let limit = max(1, parallel)
    var seen = SeenURLs()
    let failure: Failure? = await withTaskGroup(of: BatchStep.self) { group in
      var running = 0
      var isAsking = true
      var isDone = false
      group.addTask { await BatchStep(asking: next) }
      while let step = await group.next() {
        switch step {
        case .job(let job):
          isAsking = false
          if seen.insert(job.url) {
            running += 1
            group.addTask { .result(await result(of: job)) }
          }
        case .end:
          isAsking = false
          isDone = true
        case .failed(let failure):
          group.cancelAll()
          return failure
        case .result(let result):
          running -= 1
          do throws(Failure) {
            try await deliver(result)
          } catch {
            group.cancelAll()
            return error
          }
        }
        if !isDone, !isAsking, running < limit {
          isAsking = true
          group.addTask { await BatchStep(asking: next) }
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Fetches a few pages at once.
  ///
  /// - Parameters:
  ///   - urls: The URLs, of which each is fetched once.
  ///   - parallel: How many pages are fetched at a time.
  /// - Returns: The results in the order of the URLs, without duplicates.
  public func fetchAll(_ urls: [String], parallel: Int = 32) async -> [PageResult] {
    var results: [String: PageResult] = [:]
    let source = JobSource(urls)
    do {
      try await fetchAll(parallel: parallel) { () throws(Failure) in
        await source.next()
      } deliver: { (result) throws(Failure) in
        results[result.job.url] = result
      }
    } catch {
      // Neither closure throws.
    }
    return urls.compactMap { results.removeValue(forKey: $0) }
  }

  private func result(of job: PageJob) async -> PageResult {
    do {
      var page = try await fetch(url: job.url)
      page.labels = job.labels
      return PageResult(job: job, result: .success(page))
    } catch {
      return PageResult(job: job, result: .failure(job.input.map { error.at($0) } ?? error))
    }
  }
}

/// What one task of a batch came back with.
private enum BatchStep: Sendable {
  case job(PageJob)
  case end
  case failed(Failure)
  case result(PageResult)

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
