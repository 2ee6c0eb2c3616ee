import ArgumentParser
import Command
import Core
import Foundation
import HTTP
import Keys
import Processes
import Providers

/// Logs a person in at a provider, and keeps the token.
struct Login: Tool {
  static let configuration = verbConfiguration(
    "login", abstract: "Log in at GitHub and keep its token")

  @Argument(help: "Where to log in: github.", completion: .list(["github"]))
  var name: String
  @Flag(help: "Enter a code on any device; the usual way without a browser here.")
  var device = false
  @Flag(help: "Log in with the browser of this machine.")
  var web = false
  @OptionGroup var nothingElse: NothingElse
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard name == "github" else { throw ValidationError("One can log in at 'github' only.") }
    guard !(device && web) else {
      throw ValidationError("--device and --web exclude each other.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let configuration = try session.configuration()
    guard let clientId = configuration.gitHub["client_id"] else {
      throw Failure(
        .badConfiguration, "no application is named: set 'client_id' under '[github]'",
        input: session.directories.config + "/config.toml")
    }
    let login = GitHubLogin(
      clientId: clientId,
      server: session.environment["GITHUB_SERVER_URL"] ?? GitHubLogin.defaultServer,
      exchange: configuration.gitHub["token_exchange_url"], client: HTTPClient())
    let token =
      web
      ? try await login.byBrowser(session.interruption) { session.show(page: $0) }
      : try await login.byDevice { page, code in
        session.diagnostics.report("enter the code \(code) at \(page)")
      }
    let source = try session.keys(configuration).set(
      name, toToken: token.text, LoginNote(expiresAt: token.expiresAt))
    try session.output.write(
      KeyRecord(name: name, masked: KeyStore.masked(token.text), source: source))
  }
}

extension Session {
  /// Opens a page in the person's browser, and says where it is for whom that does not.
  fileprivate func show(page: String) {
    diagnostics.report("log in at \(page)")
    guard let browser = environment["BROWSER"] ?? (isOnTerminal ? "xdg-open" : nil) else { return }
    // The browser comes back while it runs; without one the sentence is enough.
    Task { [environment] in
      _ = try? await Blocking("browser").run {
        try ChildProcess.run([browser, page], environment: .whole(environment))
      }
    }
  }
}
