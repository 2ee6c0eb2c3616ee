import ArgumentParser
import Command
import CompanionClient
import Core
import Foundation
import HubWords

struct ShowStatus: Tool {
  static let configuration = verbConfiguration(
    "status", abstract: "Show whether a device is connected")

  @Argument(help: ArgumentHelp("The host: a name or a URL.", valueName: "host"))
  var host: String?
  @Flag(help: "Keep running and write each change.")
  var watch = false
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host, network)
    var last = PairingStatus(try await peer.status(), host: host)
    try session.write([last])
    while watch {
      try await session.pause(seconds: 1)
      guard !session.isUnread else { return }
      guard let told = try await patiently(peer, session) else { continue }
      let next = PairingStatus(told, host: host)
      // A new time of contact alone does not count as a change.
      var seen = next
      seen.connectedDevice?.lastSeenAt =
        last.connectedDevice?.lastSeenAt ?? next.connectedDevice?.lastSeenAt ?? .now
      guard seen != last else { continue }
      last = next
      try session.write([next])
    }
  }
}

extension ShowStatus {
  /// Returns the host's status; nil if the host cannot be reached at the moment, which is reported.
  private func patiently(
    _ peer: CompanionPeer, _ session: Session
  ) async throws(Failure) -> CompanionStatus? {
    do {
      let status = try await peer.status()
      session.diagnostics.progress("")
      return status
    } catch {
      guard error.code.isRetryable else { throw error }
      session.diagnostics.progress("the host does not answer: retrying")
      return nil
    }
  }
}

struct Disconnect: Tool {
  static let configuration = verbConfiguration(
    "disconnect", abstract: "Disconnect from a host until the next pairing")

  @Argument(help: ArgumentHelp("The host: a name or a URL.", valueName: "host"))
  var host: String?
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (host, peer) = try session.peer(host, network)
    try session.write([PairingStatus(try await peer.disconnect(), host: host)])
  }
}

extension Session {
  /// `true` if a write would fail because the reader has closed the output (poll(2)).
  fileprivate var isUnread: Bool {
    var pipe = pollfd(fd: 1, events: 0, revents: 0)
    return poll(&pipe, 1, 0) > 0 && pipe.revents & Int16(POLLERR) != 0
  }

  /// Waits for the given number of seconds.
  ///
  /// - Throws: `Interrupted` if the wait is interrupted.
  func pause(seconds: Double) async throws(Failure) {
    do {
      try await Task.sleep(for: .seconds(seconds))
    } catch {
      throw Failure(.interrupted, "interrupted")
    }
  }
}
