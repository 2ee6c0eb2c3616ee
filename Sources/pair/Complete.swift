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
    help: ArgumentHelp("A picture of the QR code that the host shows.", valueName: "file"),
    completion: .file())
  var picture: String?
  @Option(
    help: ArgumentHelp("What the QR code says; '-' reads it from stdin.", valueName: "text"))
  var payload: String?
  @Option(help: ArgumentHelp("What the host is called here; as its URL says otherwise."))
  var name: String?
  @Option(
    help: ArgumentHelp(
      "What this machine is called there; its own name otherwise.",
      valueName: "name"))
  var deviceName: String?
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [code, picture, payload].compactMap(\.self).count == 1 else {
      throw ValidationError("One of --code, --qr and --payload is needed.")
    }
    guard code.map(PairingPayload.isCode) ?? true else {
      throw ValidationError("--code has six digits.")
    }
    guard url != nil || code == nil else {
      throw ValidationError("The host's URL is needed with --code.")
    }
    guard name.map({ !$0.isEmpty && !$0.contains("/") }) ?? true else {
      throw ValidationError("--name is a word without slashes.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let shown = try shown(session)
    guard let url = url ?? shown?.url, let code = code ?? shown?.code else {
      throw Failure(.badUsage, "the QR code does not say where the host is: give its URL")
    }
    let book = try HostBook(session)
    if let name, let before = try book.hosts().first(where: { $0.name == name }),
      before.url != (try? CompanionPeer.base(url))
    {
      session.diagnostics.report("'\(name)' was \(Visible.line(before.url)) until now")
    }
    let status = try await book.pair(
      url, name: name, code: code, token: shown?.token, pin: shown?.tls,
      deviceName: deviceName ?? ProcessInfo.processInfo.hostName, allowsHTTP: network.allowHTTP)
    try session.write([status])
    try status.requireConnected()
  }

  /// What the QR code says; nil where digits were typed.
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
