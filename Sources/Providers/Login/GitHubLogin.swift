public import Core
public import HTTP
import OAuth

/// A login that gets a token from GitHub.
///
/// It uses the device flow (RFC 8628) or the web flow with PKCE (RFC 7636).
public struct GitHubLogin: Sendable {
  /// A token and the time of its expiry.
  public struct Token: Sendable, Hashable {
    /// The text of the token.
    public var text: String
    /// The time of expiry.
    ///
    /// GitHub reports it for GitHub Apps. For OAuth apps it is nil.
    public var expiresAt: Timestamp?
  }

  /// The base URL of GitHub, unless `GITHUB_SERVER_URL` names another.
  public static let defaultServer = "https://github.com"

  private let clientId: String
  private let server: String
  private let exchange: String?
  private let client: HTTPClient

  /// Creates a login.
  ///
  /// - Parameters:
  ///   - clientId: The client id of the application.
  ///   - server: GitHub's base URL.
  ///   - exchange: The URL of a server that holds the application's secret and exchanges codes for
  ///     tokens; nil to use GitHub itself.
  ///   - client: The client that sends requests.
  public init(clientId: String, server: String, exchange: String?, client: HTTPClient) {
    self.clientId = clientId
    self.server = server
    self.exchange = exchange
    self.client = client
  }

  /// Waits until the user has entered a code at GitHub (the device flow).
  ///
  /// - Parameter tell: Receives the URL of the page, and the code that the user must enter there.
  /// - Returns: The token.
  /// - Throws: `AuthExpired` if the code expires first; `PermissionDenied` if the user denies
  ///   access; the errors of sending requests.
  public func byDevice(
    _ tell: (_ page: String, _ code: String) -> Void
  ) async throws(Failure) -> Token {
    let started = try await post(
      joined(server, "/login/device/code"), ["client_id": clientId, "scope": ""])
    guard let device = started.string("device_code"), let code = started.string("user_code"),
      let page = started.string("verification_uri")
    else { throw refusal(started) }
    tell(page, code)
    var interval = max(started.number("interval") ?? 5, 0.05)
    let end = ContinuousClock.now + .seconds(started.number("expires_in") ?? 900)
    while ContinuousClock.now < end {
      do {
        try await Task.sleep(for: .seconds(interval))
      } catch {
        throw Failure(.interrupted, "interrupted while waiting for the code")
      }
      let answer = try await post(
        joined(server, "/login/oauth/access_token"),
        [
          "client_id": clientId, "device_code": device,
          "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        ])
      switch answer.string("error") {
      case "authorization_pending": continue
      // RFC 8628, section 3.5: the interval grows by five seconds.
      case "slow_down": interval = answer.number("interval") ?? interval + 5
      default: return try token(answer)
      }
    }
    throw Failure(.authExpired, "nobody entered the code in time", input: "github")
  }

  /// Waits until the user has authorised the application in a browser on this machine (the web
  /// flow).
  ///
  /// - Parameters:
  ///   - interruption: Ends the wait.
  ///   - open: Opens the given page in the browser.
  /// - Returns: The token.
  /// - Throws: As ``byDevice(_:)``; `StorageFailed` if no port can be opened for the browser's
  ///   answer.
  public func byBrowser(
    _ interruption: Interruption, open: (_ page: String) -> Void
  ) async throws(Failure) -> Token {
    let listener = try RedirectListener()
    let (expected, proof) = (ExpectedRedirect(from: "GitHub", input: "github"), ProofKey())
    let query = OAuthForm([
      "client_id": clientId, "code_challenge": proof.challenge, "code_challenge_method": "S256",
      "redirect_uri": listener.redirect, "state": expected.state,
    ])
    open(joined(server, "/login/oauth/authorize") + "?" + query.text)
    let code = try await listener.code(for: expected, interruption)
    return try token(
      try await post(
        exchange ?? joined(server, "/login/oauth/access_token"),
        [
          "client_id": clientId, "code": code, "code_verifier": proof.verifier,
          "redirect_uri": listener.redirect,
        ]))
  }

  private func post(_ url: String, _ fields: [String: String]) async throws(Failure) -> JSONObject {
    try await OAuthForm(fields).post(to: url, client)
  }

  private func token(_ answer: JSONObject) throws(Failure) -> Token {
    guard let token = answer.string("access_token"), !token.isEmpty else { throw refusal(answer) }
    Secrets.register(token)
    return Token(
      text: token, expiresAt: answer.number("expires_in").map { Timestamp.now.adding(seconds: $0) })
  }

  private func refusal(_ answer: JSONObject) -> Failure {
    let word = answer.string("error") ?? "no token"
    let words = Visible.line(String((answer.string("error_description") ?? word).prefix(300)))
    switch word {
    case "expired_token", "bad_verification_code":
      return Failure(.authExpired, "GitHub issued no token: \(words)", input: "github")
    default:
      return Failure(.permissionDenied, "GitHub issued no token: \(words)", input: "github")
    }
  }
}
