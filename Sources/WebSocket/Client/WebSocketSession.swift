public import Core
import Foundation
import NIOCore

/// A client's connection for a program that waits: what comes is read on a thread of its own and is
/// received here, by one thread at a time.
public final class WebSocketSession: Sendable {
  private let connection: WebSocketConnection
  private let inbox: WebSocketInbox
  private let interruption: Interruption
  private let url: String
  private let settings: WebSocketSettings

  init(
    _ connection: WebSocketConnection, to address: WebSocketAddress, inbox: WebSocketInbox,
    settings: WebSocketSettings, interruption: Interruption
  ) {
    (self.connection, self.inbox, self.interruption) = (connection, inbox, interruption)
    (url, self.settings) = (address.shown, settings)
  }

  deinit { cutUnlessClosed() }

  /// When bytes came last: of a peer that answers pings, never longer ago than a ping.
  public var lastHeard: ContinuousClock.Instant { inbox.lastHeard }

  /// Waits for what comes next.
  ///
  /// - Parameter milliseconds: How long at most; -1 waits on, 0 takes what is there.
  /// - Returns: The message, nil when none came in time, and `closed` for ever after the last.
  /// - Throws: `Interrupted` when the process is to end.
  public func receive(within milliseconds: Int32 = -1) throws(Failure) -> WebSocketMessage? {
    guard let (message, resumes) = try inbox.next(within: milliseconds, interruption) else {
      return nil
    }
    if resumes { connection.resume() }
    return message
  }

  /// Sends a text; waits while too much of what was sent before waits for the server.
  ///
  /// - Throws: `NetworkUnavailable` on a connection that is closed, `Timeout` for a server that reads
  ///   nothing for as long as a handshake may take, `Interrupted`.
  public func send(text: String) throws(Failure) {
    try waitUntilWritable()
    connection.send(text: text)
  }

  /// Sends a text that is UTF-8; as ``send(text:)``.
  public func send(text: [UInt8]) throws(Failure) {
    try waitUntilWritable()
    connection.send(text: ByteBuffer(bytes: text))
  }

  /// Sends a message that is not text; as ``send(text:)``.
  public func send(binary: [UInt8]) throws(Failure) {
    try waitUntilWritable()
    connection.send(binary: ByteBuffer(bytes: binary))
  }

  /// Asks for a pong that carries the same, up to 125 bytes; nothing waits.
  public func ping(_ payload: [UInt8] = []) {
    connection.ping(ByteBuffer(bytes: payload))
  }

  /// Closes the connection, and waits for the server's part of it; even if the process is to end.
  ///
  /// - Parameters:
  ///   - code: The code that the server is told.
  ///   - reason: Up to 123 bytes.
  ///   - milliseconds: How long the server is waited for.
  public func close(
    code: UInt16 = 1000, reason: String = "", within milliseconds: Int32 = 1000
  ) {
    connection.close(code: code, reason: reason)
    inbox.end(within: milliseconds)
    cutUnlessClosed()
  }

  /// A connection that is closed ends by itself, when the server or its time is done.
  private func cutUnlessClosed() {
    if inbox.closure == nil { connection.cut() }
  }

  private func waitUntilWritable() throws(Failure) {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(settings.timeoutSeconds))
    while true {
      if let closure = inbox.closure {
        throw Failure(
          .networkUnavailable, "the connection to '\(url)' is closed", kind: .reset, url: url,
          cause: closure.reason)
      }
      if connection.isWritable { return }
      guard clock.now < deadline else {
        throw Failure(.timeout, "'\(url)' does not read", kind: .timeout, url: url)
      }
      // Nothing tells a thread that waits; a server that is slow may be asked twice.
      var nothing: [pollfd] = []
      try interruption.wait(for: &nothing, within: 10)
    }
  }
}
