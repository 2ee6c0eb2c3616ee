import Core
import HTTP

extension PageFetcher {
  /// Throws a failure unless the host's robots.txt allows the given address.
  ///
  /// - Throws: `PageRefused` of kind `robots` if the address is not allowed; otherwise the failure
  ///   that prevents all fetches from the host.
  func checkRobots(_ address: PageAddress) async throws(Failure) {
    let known = await robots.known(address.origin) { await fetchRobots(of: address.origin) }
    let shown = Failure.shownURL(address.text)
    switch known {
    case .rules(let rules):
      guard !rules.allows(address.path) else { return }
      throw Failure(
        .pageRefused, "'\(shown)' is not fetched: robots.txt disallows it",
        kind: .robots, url: address.text)
    case .unreachable(let failure):
      // The page would fail for the same reason, so that reason is thrown.
      guard failure.code != .interrupted, !Self.isOfHost(failure) else {
        var same = failure
        same.url = address.text
        let robots = Failure.shownURL(address.origin + Self.robotsPath)
        same.explanation = failure.explanation.replacing("'\(robots)'", with: "'\(shown)'")
        throw same
      }
      throw Failure(
        .pageRefused, "'\(shown)' is not fetched: robots.txt cannot be fetched",
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
      if answer.holdsPlace { schedule.release() }
      if let failure = answer.failure, failure.kind != .tooLarge { return .unreachable(failure) }
      guard (200..<300).contains(answer.head.status) else { return .rules(.allowAll) }
      let rules = RobotsRules(answer.body, product: Self.product(options))
      if let delay = rules.crawlDelay { schedule.pace(origin, delay: delay) }
      return .rules(rules)
    } catch {
      // By RFC 9309 section 2.3.1, everything is allowed if the file is missing or behind too many
      // redirects, and nothing if the host is unreachable.
      let status = error.status ?? 0
      let isAbsent = error.kind == .tooManyRedirects || (300..<500).contains(status)
      return isAbsent && ![.blockedAddress, .blockedPort, .blockedScheme].contains(error.kind)
        ? .rules(.allowAll) : .unreachable(error)
    }
  }

  /// Returns the product token for robots.txt, which is the first word of the user agent.
  private static func product(_ options: FetchOptions) -> String {
    let agent = options.fields.first { $0.isNamed("user-agent") }?.value ?? options.userAgent
    return String(agent.prefix { ($0.isASCII && $0.isLetter) || $0 == "-" || $0 == "_" })
  }
}
