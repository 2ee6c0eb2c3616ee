public import ArgumentParser
import Command
import CompanionClient
import Core
import HubWords
public import QR

struct StartPairing: Tool {
  static let configuration = verbConfiguration(
    "start", abstract: "Show a pairing code and wait for a device")

  @Option(
    help: ArgumentHelp("The hub's URL; the hub of this machine by default.", valueName: "url"))
  var hub: String?
  @Option(
    name: .customLong("ttl"),
    help: ArgumentHelp("Lifetime of the code, from 30s to 10m.", valueName: "time"))
  var lifetime: Seconds?
  @Flag(help: "Draw the QR code in ASCII.")
  var ascii = false
  @Option(
    help: ArgumentHelp("Also write the QR code as a PNG image.", valueName: "file"),
    completion: .file())
  var png: String?
  @Option(
    help: ArgumentHelp("Error correction of the QR code: L, M, Q or H.", valueName: "level"))
  var level = QRCode.Level.low
  @Flag(help: "Also write the text of the QR code, which is secret.")
  var printPayload = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard lifetime.map({ (30...600).contains($0.value) }) ?? true else {
      throw ValidationError("--ttl must be from 30s to 10m.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let book = try HostBook(session)
    let peer = try book.own(try hub.map(CompanionPeer.base))
    let (before, started) = try await begin(peer)
    guard let end = Timestamp(iso8601: started.expiresAt), PairingPayload.isCode(started.code)
    else {
      throw Failure(
        .invalidResponse, "the answer is not from a hub: it has no valid code", url: peer.url)
    }
    let code = try QRCode(Array(started.qrPayload.utf8), level: level)
    if let png { try PrivateFile.write(code.png(), to: png) }
    var pairing = Pairing(code: started.code, expiresAt: end, scope: .companion)
    if printPayload { pairing.qrPayload = started.qrPayload }
    try session.output.write(pairing)
    await show(code, started, of: peer, session)
    let device = try await waiting(session, until: end) { () async throws(Failure) in
      try await newDevice(at: peer, since: before, started)
    }
    try session.output.write(Device(device))
    if let note = device.unsignedNote { session.diagnostics.report(note) }
  }

  /// Queries the hub's status, and then requests a pairing code.
  ///
  /// - Throws: The failure that the hub reports. If no hub answers, the failure names the command
  ///   that starts one.
  private func begin(
    _ peer: CompanionPeer
  ) async throws(Failure) -> (before: CompanionStatus, started: PairingStarted) {
    do throws(Failure) {
      return (try await peer.status(), try await peer.start(lifetime: lifetime?.value))
    } catch {
      guard error.kind == .connect else { throw error }
      var failure = error
      failure.explanation = "no hub answers at '\(peer.url)'"
      failure.nextStep = "start one with '\(Self.opening(of: peer.url)) &'"
      throw failure
    }
  }

  /// Returns the device that has paired with the started code; nil if none has paired yet.
  ///
  /// - Throws: `Conflict` if the code is no longer valid; the failure that the hub reports.
  private func newDevice(
    at peer: CompanionPeer, since before: CompanionStatus, _ started: PairingStarted
  ) async throws(Failure) -> TrustedDevice? {
    let status = try await peer.status()
    guard let id = started.id else {
      // A hub of the first version reports no code, so a new connection is the only sign.
      let now = status.connectedDevice
      let isNew =
        now?.id != before.connectedDevice?.id
        || now?.connectedAt != before.connectedDevice?.connectedAt
      return try await isNew ? peer.devices().first { $0.id == now?.id } : nil
    }
    guard let progress = status.pairing, progress.id == id else {
      throw Failure(.conflict, "the code is no longer valid: pairing or the hub was restarted")
    }
    return progress.device
  }

  /// Waits until `look` returns a device, and shows a countdown to `end`.
  private func waiting(
    _ session: Session, until end: Timestamp,
    _ look: () async throws(Failure) -> TrustedDevice?
  ) async throws(Failure) -> TrustedDevice {
    defer { session.diagnostics.progress("") }
    while true {
      do {
        if let device = try await look() { return device }
      } catch {
        // A request that was lost is repeated.
        guard error.code.isRetryable else { throw error }
      }
      let left = end.seconds(since: .now)
      guard left > 0 else {
        throw Failure(.pairingCodeExpired, "no device paired in time", nextStep: "start again")
      }
      session.diagnostics.progress("\(Int(left.rounded(.up))) s left")
      try await session.pause(seconds: min(0.5, max(0.05, left)))
    }
  }
}

extension QRCode.Level: ExpressibleByArgument {
  /// Creates a level from `L`, `M`, `Q` or `H`, in upper or lower case.
  public init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}
