import Core
import HTTP

/// The robots.txt of every host that was asked, each fetched once and good for a day.
actor RobotsDirectory {
  /// What is known about a host.
  enum Known: Sendable {
    case rules(RobotsRules)
    /// Nobody knows what the host allows, so nothing is.
    case unreachable(Failure)
  }

  /// Seconds for which a file is used (RFC 9309 section 2.4).
  static let lifetime = 86_400.0
  /// Beyond so many hosts all are forgotten; those that are being fetched go on.
  private static let maximumHosts = 10_000

  private struct Entry {
    var known: Task<Known, Never>
    var until: ContinuousClock.Instant
  }

  private var entries: [String: Entry] = [:]

  /// What is known about an origin; the first one to ask has it fetched, the others wait for that.
  func known(_ origin: String, fetch: @escaping @Sendable () async -> Known) async -> Known {
    let now = ContinuousClock.now
    let task: Task<Known, Never>
    if let entry = entries[origin], entry.until > now {
      task = entry.known
    } else {
      if entries.count >= Self.maximumHosts { entries = [:] }
      task = Task { await fetch() }
      entries[origin] = Entry(known: task, until: now + .seconds(Self.lifetime))
    }
    let known = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    // What was given up tells nothing of the host.
    if case .unreachable(let failure) = known, failure.code == .interrupted {
      entries[origin] = nil
    }
    return known
  }
}

extension PageFetcher {
  /// Refuses an address that its host's robots.txt does not allow.
  ///
  /// - Throws: `PageRefused` of kind `robots`; or what keeps the whole host from being fetched.
  func checkRobots(_ address: PageAddress) async throws(Failure) {
    let known = await robots.known(address.origin) { await fetchRobots(of: address.origin) }
    let shown = Failure.shownURL(address.text)
    switch known {
    case .rules(let rules):
      guard !rules.allows(address.path) else { return }
      throw Failure(
        .pageRefused, "'\(shown)' is not fetched: the site's robots.txt does not allow it",
        kind: .robots, url: address.text)
    case .unreachable(let failure):
      // The page would fail for the same reason, and that says more.
      guard failure.code != .interrupted, !Self.isOfHost(failure) else {
        var same = failure
        same.url = address.text
        let robots = Failure.shownURL(address.origin + Self.robotsPath)
        same.explanation = failure.explanation.replacing("'\(robots)'", with: "'\(shown)'")
        throw same
      }
      throw Failure(
        .pageRefused, "'\(shown)' is not fetched: the site's robots.txt cannot be had",
        kind: .robots, url: address.text, cause: failure.explanation)
    }
  }

  private static let robotsPath = "/robots.txt"

  private static func isOfHost(_ failure: Failure) -> Bool {
    [.resolve, .connect, .connectTimeout, .tls, .blockedAddress, .blockedPort].contains(
      failure.kind)
  }

  private func fetchRobots(of origin: String) async -> RobotsDirectory.Known {
    do {
      let address = try PageAddress(origin + Self.robotsPath)
      let answer = try await follow(Trip(address, .robots, seconds: options.timeoutSeconds))
      if answer.holdsPlace { schedule.give() }
      if let failure = answer.failure, failure.kind != .tooLarge { return .unreachable(failure) }
      guard (200..<300).contains(answer.head.status) else { return .rules(.allowAll) }
      let rules = RobotsRules(answer.body, product: Self.product(options))
      if let delay = rules.crawlDelay { schedule.pace(origin, delay: delay) }
      return .rules(rules)
    } catch {
      // RFC 9309 section 2.3.1: what is not there allows all, and so do too many redirects; what
      // cannot be reached allows nothing.
      let status = error.status ?? 0
      let isAbsent = error.kind == .tooManyRedirects || (300..<500).contains(status)
      return isAbsent && ![.blockedAddress, .blockedPort, .blockedScheme].contains(error.kind)
        ? .rules(.allowAll) : .unreachable(error)
    }
  }

  /// The name that robots.txt knows this client by: what its user agent begins with.
  private static func product(_ options: FetchOptions) -> String {
    let agent = options.fields.first { $0.isNamed("user-agent") }?.value ?? options.userAgent
    return String(agent.prefix { ($0.isASCII && $0.isLetter) || $0 == "-" || $0 == "_" })
  }
}
