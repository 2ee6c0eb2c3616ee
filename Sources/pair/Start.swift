public import ArgumentParser
import Command
import Companion
import CompanionClient
import Core
import Display
import Foundation
public import QR
import Signing

struct StartPairing: Tool {
  static let configuration = verbConfiguration(
    "start", abstract: "Show a code, and say who paired with it")

  @Option(help: ArgumentHelp("The hub's URL; the hub of this machine otherwise.", valueName: "url"))
  var hub: String?
  @Option(
    name: .customLong("ttl"),
    help: ArgumentHelp("For how long the code is good, from 30 s to 10 min.", valueName: "time"))
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

  func run(_ session: Session) async throws(Failure) {
    let book = try session.hostBook()
    let url = try CompanionPeer.base(try address(session))
    let peer = try book.own(url)
    let started: PairingStarted
    let before: CompanionStatus
    do throws(Failure) {
      before = try await peer.status()
      started = try await peer.start(lifetime: lifetime?.value)
    } catch {
      guard error.code == .networkUnavailable else { throw error }
      var failure = error
      failure.explanation =
        "no hub answers at '\(url)': start one by 'hub-serve --listen 0.0.0.0:7878 &'"
      throw failure
    }
    guard let end = Timestamp(iso8601: started.expiresAt) else {
      throw Failure(.invalidResponse, "the hub does not say when the code ends", url: url)
    }
    let code = try QRCode(Array(started.qrPayload.utf8), level: level)
    if let png { try PrivateFile.write(code.png(), to: png) }
    var pairing = Pairing(code: started.code, expiresAt: end, scope: .companion)
    if printPayload { pairing.qrPayload = started.qrPayload }
    try session.output.write(pairing)
    await show(code, started.code, url, session)
    try await wait(for: before, until: end, peer, session)
  }

  /// Where the hub is.
  private func address(_ session: Session) throws(Failure) -> String {
    guard let hub else { return try session.ownHub() }
    return hub
  }

  /// Shows what a person scans or types, where there is a terminal.
  private func show(_ code: QRCode, _ digits: String, _ url: String, _ session: Session) async {
    let say = { (sentence: String) in session.diagnostics.say(sentence) }
    if let size = TerminalSize(of: 2) {
      let lines = ascii ? code.ascii() : code.blocks()
      let needed = ascii ? (code.side + 2 * QRCode.margin) * 2 : code.side + 2 * QRCode.margin
      if size.columns >= needed, size.rows >= lines.count {
        session.diagnostics.draw(lines)
      } else {
        say("the QR code needs \(needed) columns and \(lines.count) lines: type the digits")
      }
      say("the code is \(digits)")
    }
    let reach = await HubReach.find(url)
    for base in reach.urls { say("on the device: \(base)") }
    if reach.isHereAlone {
      say(
        "the hub listens on this machine alone: 'hub-serve --listen 0.0.0.0:\(reach.port)' lets others come"
      )
    }
  }

  /// Waits until somebody pairs, and says who.
  private func wait(
    for before: CompanionStatus, until end: Timestamp, _ peer: CompanionPeer, _ session: Session
  ) async throws(Failure) {
    while true {
      let left = end.seconds(since: .now)
      guard left > 0 else {
        throw Failure(.pairingCodeExpired, "nobody paired in time: start again")
      }
      session.diagnostics.progress("\(Int(left.rounded(.up))) s left")
      try await session.pause(seconds: min(1, max(0.05, left)))
      guard let device = try await peer.status().connectedDevice,
        device.id != before.connectedDevice?.id
          || device.connectedAt != before.connectedDevice?.connectedAt
      else { continue }
      session.diagnostics.progress("")
      let record = Device(
        id: device.id, name: device.name, scope: .companion, createdAt: device.connectedAt)
      return try session.output.write(
        record.with { ($0.connectedAt, $0.lastSeenAt) = (device.connectedAt, device.lastSeenAt) })
    }
  }
}

extension QRCode.Level: ExpressibleByArgument {
  /// Reads `L`, `M`, `Q` or `H`, in either case.
  public init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}
