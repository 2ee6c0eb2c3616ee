import Core
import Cryptography
import Foundation
import HubWords
import Tokens

/// A code with which a companion pairs.
///
/// It consists of six digits that can be typed, and of a token that only the QR code contains.
struct PairingCode: Sendable {
  /// The valid lifetimes of a code in seconds.
  static let lifetimes = 30.0...600.0
  /// The default lifetime in seconds.
  static let usualLifetime = 300.0

  /// The id of the code.
  ///
  /// It grants no access.
  let id = Identifier.make()
  /// The six digits.
  let code: String
  /// The token of 128 random bits.
  let token: String
  /// The time at which the code expires, for display.
  let expiresAt: Timestamp
  /// The time at which the code expires, by a monotonic clock.
  private let end: ContinuousClock.Instant

  /// Creates a random code.
  ///
  /// - Parameters:
  ///   - seconds: The lifetime, which is clamped to the valid range; nil for the default.
  ///   - now: The current time.
  init(lifetime seconds: Double?, at now: Timestamp) {
    var seconds = seconds ?? Self.usualLifetime
    if seconds.isNaN { seconds = Self.usualLifetime }
    seconds = min(max(seconds, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
    code = String(String(Int.random(in: 1_000_000...1_999_999)).dropFirst())
    token = Base64URL.text(RandomBytes.make(16))
    Secrets.register(token)
    expiresAt = now.adding(seconds: seconds)
    end = .now + .seconds(seconds)
  }

  /// `true` if the code has expired.
  var isOver: Bool { end <= .now }

  /// Returns the digest under which the given digits are stored.
  static func digest(_ code: String) -> [UInt8] { AccessToken.digest("pairing:" + code) }

  /// Returns `true` if the given digits match the code.
  func has(code other: String) -> Bool {
    AccessToken.areEqual(Self.digest(code), Self.digest(other))
  }

  /// Returns `true` if the given token matches the code.
  func has(token other: String) -> Bool {
    AccessToken.areEqual(AccessToken.digest(token), AccessToken.digest(other))
  }
}
