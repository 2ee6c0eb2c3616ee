import Command
import CompanionClient
import Core
import Display
import Foundation
import HubWords
import QR

extension StartPairing {
  /// Shows the code that is scanned or typed, if there is a terminal.
  func show(
    _ code: QRCode, _ started: PairingStarted, of peer: CompanionPeer, _ session: Session
  ) async {
    let reach = await HubReach.find(peer)
    let known = (try? PairingPayload(text: started.qrPayload))?.url
    let urls = [known].compactMap(\.self) + reach.urls.filter { $0 != known }
    guard let size = TerminalSize(of: 2) else {
      for url in urls { session.diagnostics.report("on the device: \(url)") }
      if urls.isEmpty {
        session.diagnostics.report(
          "no other device can reach the hub: restart it with \(Self.opening(reach.port))")
      }
      return
    }
    var words = ["type", "", "  \(started.code)", ""]
    if let wait = started.typingAfterSeconds {
      // The hub rejects digits for a while after too many wrong digits.
      let minutes = Int((wait / 60).rounded(.up))
      words = ["(digits are locked for \(minutes) min:", "too many wrong attempts)", ""]
    }
    if urls.isEmpty {
      words += [
        "No other device can connect.", "Restart the hub with:", "", Self.opening(reach.port),
      ]
    } else {
      words += ["at", ""] + urls.map { "  \(Visible.line($0))" }
    }
    session.diagnostics.draw(PairingScreen(code, inASCII: ascii, words: words).rows(in: size))
  }

  /// Returns the command that starts a hub on the port of the given URL.
  static func opening(of url: String) -> String {
    let parts = URLComponents(string: url)
    return opening(parts?.port ?? (parts?.scheme == "https" ? 443 : 80))
  }

  /// Returns the command that starts a hub on the given port, for access from other devices.
  private static func opening(_ port: Int) -> String { "hub-serve --listen 0.0.0.0:\(port)" }
}
