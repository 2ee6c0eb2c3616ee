public import Core
import Foundation
public import HubWords

extension PairingPayload {
  /// Parses the given contents of a QR code.
  ///
  /// - Throws: `ProtocolMismatch` if the code belongs to another protocol; `BadInput` if the
  ///   contents are malformed.
  public init(text: String) throws(Failure) {
    let bytes = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    guard let object = JSONObject(bytes) else {
      throw Failure(.badInput, "the QR code is not a pairing code")
    }
    guard object.string("protocol") == Self.name else {
      let other = object.string("protocol").map { "'\(Visible.line(String($0.prefix(80))))'" }
      throw Failure(
        .protocolMismatch, "the QR code has protocol \(other ?? "none"), not '\(Self.name)'")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch {
      throw Failure(.badInput, "the QR code has no valid 'code', 'token' or 'expiresAt'")
    }
    guard Self.isCode(code) else {
      throw Failure(.badInput, "the pairing code in the QR code is not six digits")
    }
    Secrets.register(token)
  }
}
