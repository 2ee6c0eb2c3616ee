import ArgumentParser
import Command
import CompanionClient
import Core
import Foundation
import HubWords
import Processes
import QR

struct CompletePairing: Tool {
  static let configuration = verbConfiguration(
    "complete", abstract: "Pair this machine with a host")

  @Argument(help: ArgumentHelp("The host's URL.", valueName: "url"))
  var url: String?
  @Option(help: ArgumentHelp("The six digits that the host shows.", valueName: "digits"))
  var code: String?
  @Option(
    name: .customLong("qr"),
    help: ArgumentHelp("An image of the QR code that the host shows.", valueName: "file"),
    completion: .file())
  var picture: String?
  @Option(
    help: ArgumentHelp("The text of the QR code; '-' reads it from stdin.", valueName: "text"))
  var payload: String?
  @Option(help: ArgumentHelp("A name for the host; from its URL by default."))
  var name: String?
  @Option(
    help: ArgumentHelp(
      "A name for this machine; its host name by default.",
      valueName: "name"))
  var deviceName: String?
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [code, picture, payload].compactMap(\.self).count == 1 else {
      throw ValidationError("Use one of --code, --qr and --payload.")
    }
    guard code.map(PairingPayload.isCode) ?? true else {
      throw ValidationError("--code must have six digits.")
    }
    guard url != nil || code == nil else {
      throw ValidationError("--code needs the host's URL.")
    }
    guard name.map({ !$0.isEmpty && !$0.contains("/") }) ?? true else {
      throw ValidationError("--name must be a word without slashes.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let shown = try shown(session)
    guard let url = url ?? shown?.url, let code = code ?? shown?.code else {
      throw Failure(
        .badUsage, "the QR code does not contain the host's URL", nextStep: "pass the URL")
    }
    let book = try HostBook(session)
    if let name, let before = try book.hosts().first(where: { $0.name == name }),
      before.url != (try? CompanionPeer.base(url))
    {
      session.diagnostics.report(
        "replaced the URL of '\(name)', which was \(Visible.line(before.url))")
    }
    let status = try await book.pair(
      url, name: name, code: code, token: shown?.token, pin: shown?.tls,
      deviceName: deviceName ?? ProcessInfo.processInfo.hostName, allowsHTTP: network.allowHTTP)
    try session.end(with: status.refusal) { () throws(Failure) in try session.write([status]) }
  }

  /// Returns the contents of the QR code; nil if the user typed digits instead.
  private func shown(_ session: Session) throws(Failure) -> PairingPayload? {
    if let picture {
      return try PairingPayload(
        text: try QRImageReader.read(
          picture, environment: .ofHelper(session.environment)))
    }
    guard let payload else { return nil }
    guard payload == "-" else { return try PairingPayload(text: payload) }
    var input = session.input()
    return try PairingPayload(text: try input.text())
  }
}
