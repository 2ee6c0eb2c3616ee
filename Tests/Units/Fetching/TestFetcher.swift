import Core
import Fetching
import HTTP

/// What the tests of fetching share: a client, and options without waits.
struct TestFetcher {
  let client: HTTPClient

  init(cookies: [String]? = nil) {
    client = HTTPClient(cookies: cookies)
  }

  /// A fetcher that waits for nothing and may reach the servers of the tests.
  func callAsFunction(_ change: (inout FetchOptions) -> Void = { _ in }) -> PageFetcher {
    var options = FetchOptions(userAgent: "AgentOS/1.0 (agentpipes test)")
    // Other tests keep the threads busy: a limit in seconds would judge them.
    options.timeoutSeconds = 0
    options.delaySeconds = 0
    options.firstRetryWait = 0
    options.allowPrivate = true
    change(&options)
    return PageFetcher(client: client, options: options)
  }
}

extension PageFetcher {
  /// The failure of fetching a URL, nil when it was had.
  func failure(_ url: String, obeysRobots: Bool = false) async -> Failure? {
    do throws(Failure) {
      _ = try await fetch(url: url, obeysRobots: obeysRobots)
      return nil
    } catch {
      return error
    }
  }
}
