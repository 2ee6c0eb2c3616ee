import Core
import Foundation
import NIOCore

extension Failure {
  /// Creates the failure that reports that a hub cannot listen at the given address and port.
  ///
  /// - Parameters:
  ///   - place: The address and the port.
  ///   - error: The error that the server threw.
  ///   - option: The option that sets the address.
  init(cannotListenOn place: String, _ error: any Error, option: String = "--listen") {
    let code = (error as? IOError)?.errnoCode
    let reason = code.map { String(cString: strerror($0)) } ?? "\(error)"
    self.init(
      .networkUnavailable, "cannot listen on '\(place)': \(reason)", input: place,
      nextStep: "choose another address with \(option)")
    guard code == EADDRINUSE else { return }
    let port = place.split(separator: ":").last ?? ""
    nextStep = "choose another port with \(option)"
    explanation = "cannot listen on '\(place)': port \(port) is in use"
  }
}
