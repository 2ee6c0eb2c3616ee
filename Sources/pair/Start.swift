public import ArgumentParser
import Command
import CompanionClient
import Core
import Display
import Foundation
import HubWords
public import QR
import Signing

struct StartPairing: Tool {
  static let configuration = verbConfiguration(
    "start", abstract: "Show a code, and say who paired with it")

  @Option(help: ArgumentHelp("The hub's URL; the hub of this machine otherwise.", valueName: "url"))
  var hub: String?
  @Option(
    name: .customLong("ttl"),
    help: ArgumentHelp("For how long the code is good, from 30s to 10m.", valueName: "time"))
  var lifetime: Seconds?
  @Flag(help: "Draw the QR code in characters of ASCII.")
  var ascii = false
  @Option(
    help: ArgumentHelp("Write the QR code as a PNG, too.", valueName: "file"), completion: .file())
  var png: String?
  @Option(
    help: ArgumentHelp("How much of the QR code may be lost: L, M, Q or H.", valueName: "level"))
  var level = QRCode.Level.low
  @Flag(help: "Write what the QR code says, too: it pairs whoever reads it.")
  var printPayload = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard lifetime.map({ (30...600).contains($0.value) }) ?? true else {
      throw ValidationError("--ttl is from 30s to 10m.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let book = try session.hosts(HostBook.init(_:keys:configured:))
    let peer = try book.own(try hub.map(CompanionPeer.base))
    let started: PairingStarted
    let before: CompanionStatus
    do throws(Failure) {
      before = try await peer.status()
      started = try await peer.start(lifetime: lifetime?.value)
    } catch {
      guard error.kind == .connect else { throw error }
      var failure = error
      failure.explanation =
        "no hub answers at '\(peer.url)': start one by '\(Self.opening(of: peer.url)) &'"
      throw failure
    }
    guard let end = Timestamp(iso8601: started.expiresAt), PairingPayload.isCode(started.code)
    else {
      throw Failure(.invalidResponse, "what answers is no hub: its code is none", url: peer.url)
    }
    let code = try QRCode(Array(started.qrPayload.utf8), level: level)
    if let png { try PrivateFile.write(code.png(), to: png) }
    var pairing = Pairing(code: started.code, expiresAt: end, scope: .companion)
    if printPayload { pairing.qrPayload = started.qrPayload }
    try session.output.write(pairing)
    await show(code, started, of: peer, session)
    let device = try await waiting(session, until: end) { () async throws(Failure) in
      let status = try await peer.status()
      guard let id = started.id else {
        // A hub of the first version tells of no code: somebody else is connected then.
        let now = status.connectedDevice
        let isNew =
          now?.id != before.connectedDevice?.id
          || now?.connectedAt != before.connectedDevice?.connectedAt
        return try await isNew ? peer.devices().first { $0.id == now?.id } : nil
      }
      guard let progress = status.pairing, progress.id == id else {
        throw Failure(.conflict, "the code is void: pairing was started again, or the hub was")
      }
      return progress.device
    }
    try session.output.write(Device(device))
    if let note = device.unsignedNote { session.diagnostics.say(note) }
  }

  /// Shows what a person scans or types, where there is a terminal.
  private func show(
    _ code: QRCode, _ started: PairingStarted, of peer: CompanionPeer, _ session: Session
  ) async {
    let reach = await HubReach.find(peer)
    let known = (try? PairingPayload(text: started.qrPayload))?.url
    let urls = [known].compactMap(\.self) + reach.urls.filter { $0 != known }
    guard let size = TerminalSize(of: 2) else {
      for url in urls { session.diagnostics.say("on the device: \(url)") }
      if urls.isEmpty {
        session.diagnostics.say("no other device reaches the hub: \(Self.opening(reach.port))")
      }
      return
    }
    var words = ["type", "", "  \(started.code)", ""]
    if let wait = started.typingAfterSeconds {
      // Too many wrong ones were tried.
      let minutes = Int((wait / 60).rounded(.up))
      words = ["(no digits for \(minutes) min: wrong", "ones were tried)", ""]
    }
    if urls.isEmpty {
      words += [
        "No other device reaches the hub.", "Start it anew:", "", Self.opening(reach.port),
      ]
    } else {
      words += ["at", ""] + urls.map { "  \(Visible.line($0))" }
    }
    session.diagnostics.draw(PairingScreen(code, inASCII: ascii, words: words).rows(in: size))
  }

  /// The command that starts a hub at the port of a URL.
  private static func opening(of url: String) -> String {
    let parts = URLComponents(string: url)
    return opening(parts?.port ?? (parts?.scheme == "https" ? 443 : 80))
  }

  /// The command that lets others come.
  private static func opening(_ port: Int) -> String { "hub-serve --listen 0.0.0.0:\(port)" }

  /// Waits until somebody paired, and counts the seconds down that are left for it.
  private func waiting(
    _ session: Session, until end: Timestamp,
    _ look: () async throws(Failure) -> TrustedDevice?
  ) async throws(Failure) -> TrustedDevice {
    defer { session.diagnostics.progress("") }
    while true {
      do {
        if let device = try await look() { return device }
      } catch {
        // One question that is lost is asked again.
        guard error.code.isRetryable else { throw error }
      }
      let left = end.seconds(since: .now)
      guard left > 0 else {
        throw Failure(.pairingCodeExpired, "nobody paired in time: start again")
      }
      session.diagnostics.progress("\(Int(left.rounded(.up))) s left")
      try await session.pause(seconds: min(0.5, max(0.05, left)))
    }
  }
}

extension QRCode.Level: ExpressibleByArgument {
  /// Reads `L`, `M`, `Q` or `H`, in either case.
  public init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}
