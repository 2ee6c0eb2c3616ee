import Core
import Cryptography
import Foundation
import Synchronization
import Tokens

/// The codes in links that sign browsers in.
///
/// Each is valid once and for five minutes. Codes exist only in memory, and are lost when the hub
/// ends.
final class PageCodes: Sendable {
  /// The lifetime of a code in seconds.
  static let lifetime = 300.0
  /// The largest number of open codes of one device, or of the operator; a further one replaces the
  /// oldest.
  static let most = 20

  /// The access that a code gives.
  struct Grant: Sendable {
    /// The permissions of the browser.
    var scope: DeviceScope
    /// The name of the browser; nil for the one that its requests suggest.
    var name: String?
    /// The id of the device that requested the code; nil for the hub's operator.
    var deviceId: String?
    /// The time at which the code expires.
    var expiresAt: Timestamp
  }

  private let open = Mutex<[(digest: [UInt8], grant: Grant)]>([])

  /// Creates a code of 128 random bits with the given access.
  func make(_ grant: Grant, at now: Timestamp = .now) -> String {
    let code = Base64URL.text(RandomBytes.make(16))
    Secrets.register(code)
    open.withLock { open in
      open.removeAll { $0.grant.expiresAt <= now }
      open.append((AccessToken.digest(code), grant))
      let own = open.indices.filter { open[$0].grant.deviceId == grant.deviceId }
      if own.count > Self.most { open.remove(at: own[0]) }
    }
    return code
  }

  /// Returns the access of the given code, which stays valid.
  ///
  /// - Throws: `PairingCodeInvalid` if the code is unknown, used or expired.
  func find(_ code: String, at now: Timestamp = .now) throws(Failure) -> Grant {
    try take(code, keeping: true, at: now)
  }

  /// Returns the access of the given code, which is void from then on.
  ///
  /// - Throws: As ``find(_:at:)``.
  func spend(_ code: String, at now: Timestamp = .now) throws(Failure) -> Grant {
    try take(code, keeping: false, at: now)
  }

  private func take(_ code: String, keeping: Bool, at now: Timestamp) throws(Failure) -> Grant {
    let digest = AccessToken.digest(code)
    let found: Grant? = open.withLock { open in
      open.removeAll { $0.grant.expiresAt <= now }
      guard let index = open.firstIndex(where: { AccessToken.areEqual($0.digest, digest) }) else {
        return nil
      }
      return keeping ? open[index].grant : open.remove(at: index).grant
    }
    guard let found else { throw Self.invalid }
    return found
  }

  private static let invalid = Failure(
    .pairingCodeInvalid, "the link was used or replaced, or is older than five minutes",
    nextStep: "run 'pair page' again")
}
