import Core
import Foundation
import Tmux

/// A series of captures of a screen, at a limited rate.
///
/// Each capture uses a separate channel.
struct Capture {
  private let target: TmuxTarget
  private let tmux: String?
  private let host: String
  private var channel: SSHChannel?
  private var answer = TmuxAnswer(status: nil, output: [], errors: [])
  private var last: ContinuousClock.Instant?
  /// `true` if output has arrived since the last capture began.
  var isWanted = false

  init(_ target: TmuxTarget, tmux: String?, host: String) {
    self.target = target
    self.tmux = tmux
    self.host = host
  }

  /// Returns the time until the next capture is due, in milliseconds.
  func milliseconds(interval: Double) -> Int32 {
    guard channel == nil, isWanted, let last else { return 1000 }
    let left = (last + .seconds(interval) - ContinuousClock.now) / .milliseconds(1)
    return Int32(max(0, min(left.rounded(.up), 1000)))
  }

  /// Continues the current capture, or begins the next one if it is due.
  ///
  /// - Returns: The screen if a capture is now complete; nil otherwise.
  /// - Throws: `TmuxSessionNotFound` if the session does not exist; `InvalidResponse` if the
  ///   capture cannot be parsed; `StreamInterrupted` if the connection is lost.
  mutating func advance(
    _ connection: SSHConnection, interval: Double
  ) throws(Failure) -> TmuxScreen? {
    if channel == nil {
      let isDue = last.map { ContinuousClock.now - $0 >= .seconds(interval) } ?? true
      guard isWanted, isDue else { return nil }
      isWanted = false
      last = ContinuousClock.now
      answer = TmuxAnswer(status: nil, output: [], errors: [])
      channel = try connection.begin(try TmuxCommand.capture(target, tmux: tmux).line)
    }
    guard let channel, try channel.advance() else { return nil }
    let isClosed = channel.isClosed
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case .bytes(let count) = channel.read(into: &buffer) {
      guard answer.output.count + count <= TmuxScreen.maximumBytes else {
        throw Failure(
          .invalidResponse, "the screen is longer than \(TmuxScreen.maximumBytes) bytes")
      }
      answer.output += buffer[..<count]
    }
    while case .bytes(let count) = channel.read(into: &buffer, errors: true) {
      answer.errors = Array((answer.errors + buffer[..<count]).suffix(1 << 14))
    }
    guard isClosed else { return nil }
    self.channel = nil
    guard let status = channel.exitStatus else {
      throw SSHConnection.lost("the channel was closed")
    }
    answer.status = status
    do throws(Failure) {
      return try TmuxScreen(answer, of: target, on: host)
    } catch {
      // The attached channel reports the end of the session, with its reason.
      guard error.code == .tmuxSessionNotFound else { throw error }
      return nil
    }
  }
}
