import Core
import Foundation
import HubWords
import Tokens

/// What a companion pairs with: six digits to type, and a token that only the QR code has.
struct PairingCode: Sendable {
  /// The seconds for which one may be good.
  static let lifetimes = 30.0...600.0
  /// The seconds for which it is good unless somebody says otherwise.
  static let usualLifetime = 300.0

  /// What it is known by, which opens nothing.
  let id = Identifier.make()
  /// Six digits.
  let code: String
  /// 128 random bits.
  let token: String
  /// When it ends, for whoever reads it.
  let expiresAt: Timestamp
  /// When it ends, by a clock that nobody sets.
  private let end: ContinuousClock.Instant

  /// A new one.
  ///
  /// - Parameters:
  ///   - seconds: For how long it is wanted; what is too short or too long is made to fit.
  ///   - now: The present.
  init(lifetime seconds: Double?, at now: Timestamp) {
    var seconds = seconds ?? Self.usualLifetime
    if seconds.isNaN { seconds = Self.usualLifetime }
    seconds = min(max(seconds, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
    code = String(String(Int.random(in: 1_000_000...1_999_999)).dropFirst())
    token = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    Secrets.register(token)
    expiresAt = now.adding(seconds: seconds)
    end = .now + .seconds(seconds)
  }

  /// Whether it is good for nothing any more.
  var isOver: Bool { end <= .now }

  /// What is kept of the digits of a code.
  static func digest(_ code: String) -> [UInt8] { AccessToken.digest("pairing:" + code) }

  /// Whether somebody has the digits.
  func has(code other: String) -> Bool {
    AccessToken.areEqual(Self.digest(code), Self.digest(other))
  }

  /// Whether somebody has the token.
  func has(token other: String) -> Bool {
    AccessToken.areEqual(AccessToken.digest(token), AccessToken.digest(other))
  }
}
