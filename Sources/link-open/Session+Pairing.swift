import Command
import CompanionClient
import Core
import Foundation
import HubWords

extension Session {
  /// Pairs with the host that a QR code names, after the user has agreed.
  ///
  /// - Parameters:
  ///   - text: The text of the QR code.
  ///   - isAgreed: `true` if the user has already agreed.
  /// - Throws: The errors of `PairingPayload` and `HostBook.pair`; `BadUsage` if the code names no
  ///   host.
  func pair(by text: String, isAgreed: Bool) async throws(Failure) {
    let payload = try PairingPayload(text: text)
    guard let url = payload.url else {
      throw Failure(
        .badUsage, "the code does not contain the host's URL",
        nextStep: "use 'pair complete URL --payload -'")
    }
    let shown = try CompanionPeer.base(url)
    diagnostics.report("pair this machine with the host '\(Visible.line(shown))'")
    if !isAgreed {
      try Confirmation(self).agree("This is what the code asks for.", option: "--yes")
    }
    let status = try await HostBook(self).pair(
      url, name: nil, code: payload.code, token: payload.token, pin: payload.tls,
      deviceName: ProcessInfo.processInfo.hostName, allowsHTTP: false)
    try end(with: status.refusal) { () throws(Failure) in try write([status]) }
  }
}
