import Command
import CompanionClient
import Core
import Foundation
import HubWords

extension Session {
  /// Pairs with the host that a QR code names, once the user agrees.
  ///
  /// - Parameters:
  ///   - text: What the QR code says.
  ///   - isAgreed: Whether the user does so already.
  /// - Throws: As `PairingPayload` and `HostBook.pair`; `BadUsage` for a code without a host.
  func pair(by text: String, isAgreed: Bool) async throws(Failure) {
    let payload = try PairingPayload(text: text)
    guard let url = payload.url else {
      throw Failure(
        .badUsage,
        "the code does not say where the host is: 'pair complete URL --payload -' takes both")
    }
    let shown = try CompanionPeer.base(url)
    diagnostics.report("pair this machine with the host '\(Visible.line(shown))'")
    if !isAgreed {
      try Confirmation(self).agree("This is what the code asks for.", option: "--yes")
    }
    let status = try await HostBook(self).pair(
      url, name: nil, code: payload.code, token: payload.token, pin: payload.tls,
      deviceName: ProcessInfo.processInfo.hostName, allowsHTTP: false)
    try write([status])
    try status.requireConnected()
  }
}
