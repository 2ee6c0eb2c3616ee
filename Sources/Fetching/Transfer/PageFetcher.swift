public import Core
public import HTTP
import Reading

/// A client that fetches pages and reads them.
///
///     let fetcher = PageFetcher(client: HTTPClient(), options: FetchOptions(userAgent: "…"))
///     let page = try await fetcher.fetch(url: "https://example.org/")
public struct PageFetcher: Sendable {
  /// The options for fetching and reading pages.
  public let options: FetchOptions
  let client: HTTPClient
  let schedule: HostSchedule
  let robots = RobotsDirectory()
  let cache: PageCache?
  let reader: PageReader
  /// `true` if the client sends cookies.
  ///
  /// Answers may then be meant for one person only.
  let hasCookies: Bool

  /// Creates a fetcher that uses the connections and cookies of the given client.
  public init(client: HTTPClient, options: FetchOptions) {
    self.client = client
    self.options = options
    schedule = HostSchedule(
      HostSchedule.Limits(
        parallel: max(1, options.parallel), perHost: max(1, options.perHost),
        delay: max(0, options.delaySeconds)))
    cache = options.cache.map { PageCache($0, report: options.report) }
    reader = PageReader(options)
    hasCookies = client.keepsCookies
  }

  /// Fetches a page over http or https, follows its redirects, and reads it.
  ///
  /// If the body is cut off in transit, the page's `partial` is `true` and `error` has the failure.
  ///
  /// - Parameters:
  ///   - url: An absolute URL.
  ///   - obeysRobots: `true` to check the site's robots.txt first, unless the options prevent it.
  /// - Returns: The page's text and metadata.
  /// - Throws: A ``Failure`` with the requested URL, the redirects, and the status if there was
  ///   one. Its kind is `badURL`, `blockedScheme`, `blockedPort`, `blockedAddress`, `robots`,
  ///   `tooManyRedirects`, `unsupportedType`, `tooLarge`, `timeout`, `tooSlow` or another kind of
  ///   the HTTP client.
  public func fetch(url: String, obeysRobots: Bool = false) async throws(Failure) -> Page {
    let (result, holdsPlace) = await result(of: url, obeysRobots: obeysRobots)
    if holdsPlace { schedule.release() }
    return try result.get()
  }

  /// Returns the page, or the failure to fetch it.
  ///
  /// The flag is `true` if the page holds a place in the schedule. The caller must then release it.
  func result(
    of url: String, obeysRobots: Bool, number: Int = 0
  ) async -> (Result<Page, Failure>, Bool) {
    let asked: PageAddress
    do throws(Failure) {
      asked = try PageAddress(url, allowsUserinfo: options.allowUserinfo)
    } catch {
      return (.failure(error), false)
    }
    let name = asked.authorization == nil ? url : asked.text
    let answer: Answer
    do throws(Failure) {
      let obeys = obeysRobots && !options.ignoresRobots
      answer = try await follow(
        Trip(
          asked, .page(obeysRobots: obeys), number: number, seconds: options.timeoutSeconds))
    } catch {
      return (.failure(error.asPage(name)), false)
    }
    do throws(Failure) {
      var page = try await page(of: answer, requested: name)
      if obeysRobots, options.ignoresRobots { page.robots = "ignored" }
      return (.success(page), answer.holdsPlace)
    } catch {
      var failure = error
      if !answer.redirects.isEmpty || answer.address != asked {
        failure.redirects = answer.redirects + [answer.address.text]
      }
      return (.failure(failure.asPage(name)), answer.holdsPlace)
    }
  }

  private func page(of answer: Answer, requested: String) async throws(Failure) -> Page {
    let type = answer.head.mediaType
    let kind = DocumentKind.of(answer.body, type: type)
    // A cached answer has no reserved memory yet.
    var memory = answer.memory
    if memory == nil { memory = try await reader.reserve(answer.body.count, start: answer.body) }
    defer { withExtendedLifetime(memory) {} }
    let started = ContinuousClock.now
    var page = try await reader.read(
      answer.body, kind, url: answer.address.text, contentType: answer.head.value("content-type"))
    page.url = requested
    page.finalURL = answer.address.text
    page.redirects = answer.redirects.isEmpty ? nil : answer.redirects
    page.downgraded = answer.isDowngraded ? true : nil
    page.status = answer.head.status
    page.contentType = type ?? page.contentType
    page.partial = answer.failure != nil
    page.error = answer.failure.map { $0.asPage(requested) }
    page.fromCache = answer.isFromCache
    page.timing = PageTiming(
      nameLookupMs: answer.timing?.nameLookupMs, connectMs: answer.timing?.connectMs,
      firstByteMs: answer.timing?.firstByteMs, totalMs: answer.timing?.totalMs,
      extractMs: milliseconds(since: started))
    return page.withoutSecrets
  }

  private func milliseconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000) / 1000
  }
}

extension HTTPHead {
  /// The media type without its parameters, in lower case.
  var mediaType: String? {
    guard let value = value("content-type") else { return nil }
    let type = value.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    return type.isEmpty ? nil : Visible.line(String(type.prefix(100)))
  }
}

extension Failure {
  /// Returns the failure in the form for the given page's record.
  ///
  /// It has the requested URL, and the same kind for all timeouts of the client.
  fileprivate func asPage(_ url: String) -> Failure {
    var failure = self
    failure.url = url
    if [.connectTimeout, .idleTimeout, .totalTimeout].contains(kind) {
      failure.kind = .timeout
    }
    return failure
  }
}
