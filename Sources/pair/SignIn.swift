public import ArgumentParser
import Command
import CompanionClient
public import Core
import Display
import HubClient
import HubWords
import QR
import Tokens

struct SignInBrowser: Tool {
  static let configuration = verbConfiguration(
    "page", abstract: "Create a link that signs a browser in to the hub's page")

  @Option(
    help: ArgumentHelp(
      "The hub: a URL or a configured name; the hub of this machine by default.", valueName: "hub"))
  var hub: String?
  @Option(help: ArgumentHelp("The browser's access; decide by default.", valueName: "what"))
  var scope: DeviceScope?
  @Option(help: ArgumentHelp("A name for the browser.", valueName: "name"))
  var name: String?
  @Flag(help: "Draw the QR code in ASCII.")
  var ascii = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard scope.map(DeviceScope.browsers.contains) ?? true else {
      throw ValidationError(
        "--scope must be read, decide or steer, not '\(scope?.rawValue ?? "")'.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let configuration = try session.configuration()
    let own = try OwnHub.existing(in: session.directories)?.url
    guard let hub = hub ?? own else {
      throw Failure(
        .notFound, "no hub ran on this machine",
        nextStep: "name one with --hub, or start one with 'hub-serve --page &'")
    }
    let peer = try HubPeer(
      named: hub, in: configuration, keys: session.keys(configuration),
      directories: session.directories)
    let pairing = try await link(from: peer)
    try session.output.write(pairing)
    guard let url = pairing.url else { return }
    guard !HubReach.isHere(url) else {
      return session.diagnostics.report(
        "the link is for this machine: for others, set 'public_url' under [serve]")
    }
    guard let size = TerminalSize(of: 2) else { return }
    let words = ["open the link.", "", "It is valid once,", "for five minutes."]
    let code = try QRCode(Array(url.utf8), level: .low)
    let screen = PairingScreen(
      code, inASCII: ascii, words: words, hint: "A larger terminal shows it.")
    session.diagnostics.draw(screen.rows(in: size))
  }
}

extension SignInBrowser {
  private func link(from peer: HubPeer) async throws(Failure) -> Pairing {
    do throws(Failure) {
      return try await peer.pageLink(PageLinkRequest(scope: scope, name: name))
    } catch {
      guard error.kind == .connect, hub == nil else { throw error }
      var failure = error
      failure.explanation = "no hub answers at '\(peer.hub.url)'"
      failure.nextStep = "start one with 'hub-serve --page &'"
      throw failure
    }
  }
}

extension DeviceScope: ExpressibleByArgument {
  /// The scopes that a browser can have.
  public static var allValueStrings: [String] { browsers.map(\.rawValue) }
}
