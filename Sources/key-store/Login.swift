import ArgumentParser
import Command
import Core
import HTTP
import Keys
import Providers

/// The subcommand that logs in at a provider and stores the token.
struct Login: Tool {
  static let configuration = verbConfiguration(
    "login", abstract: "Log in to GitHub and store the token")

  @Argument(help: "The service to log in to: github.", completion: .list(["github"]))
  var name: String
  @Flag(help: "Enter a code on any device; the default.")
  var device = false
  @Flag(help: "Log in with the browser on this machine.")
  var web = false
  @OptionGroup var nothingElse: NothingElse
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard name == "github" else { throw ValidationError("Login is supported for 'github' only.") }
    guard !(device && web) else {
      throw ValidationError("--device and --web exclude each other.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let configuration = try session.configuration()
    guard let clientId = configuration.gitHub["client_id"] else {
      throw Failure(
        .badConfiguration, "there is no application id",
        input: session.directories.config + "/config.toml",
        nextStep: "set 'client_id' under '[github]'")
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
    session.reportPrecedence(of: name, session.keys(configuration), isStored: true)
  }
}
