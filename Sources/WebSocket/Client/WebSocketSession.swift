public import Core
import Foundation
import NIOCore

/// A client's connection for a thread that blocks while it waits.
///
/// A separate thread reads the messages. Only one thread at a time may receive them.
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

  /// The time at which bytes last arrived.
  ///
  /// If the peer answers pings, it is at most one ping interval ago.
  public var lastHeard: ContinuousClock.Instant { inbox.lastHeard }

  /// Waits for the next message.
  ///
  /// - Parameter milliseconds: The longest wait; -1 for no limit, 0 to return at once.
  /// - Returns: The message; nil if the wait timed out. After the last message, every call returns
  ///   `closed`.
  /// - Throws: `Interrupted` if the process is to end.
  public func receive(within milliseconds: Int32 = -1) throws(Failure) -> WebSocketMessage? {
    guard let (message, resumes) = try inbox.next(within: milliseconds, interruption) else {
      return nil
    }
    if resumes { connection.resume() }
    return message
  }

  /// Sends the given text.
  ///
  /// If too many bytes are queued, first waits until the server has read some of them.
  ///
  /// - Throws: `NetworkUnavailable` if the connection is closed; `Timeout` if the server reads too
  ///   little within the handshake timeout; `Interrupted` if the process is to end.
  public func send(text: String) throws(Failure) {
    try waitUntilWritable()
    connection.send(text: text)
  }

  /// Sends the given UTF-8 text; see ``send(text:)``.
  public func send(text: [UInt8]) throws(Failure) {
    try waitUntilWritable()
    connection.send(text: ByteBuffer(bytes: text))
  }

  /// Sends the given bytes as a binary message; see ``send(text:)``.
  public func send(binary: [UInt8]) throws(Failure) {
    try waitUntilWritable()
    connection.send(binary: ByteBuffer(bytes: binary))
  }

  /// Sends a ping without waiting.
  ///
  /// The payload has up to 125 bytes. The pong repeats it.
  public func ping(_ payload: [UInt8] = []) {
    connection.ping(ByteBuffer(bytes: payload))
  }

  /// Closes the connection and waits for the server's Close frame.
  ///
  /// An interruption does not end this wait.
  ///
  /// - Parameters:
  ///   - code: The code in the Close frame.
  ///   - reason: The reason in the Close frame, at most 123 bytes.
  ///   - milliseconds: The longest wait for the server's Close frame.
  public func close(
    code: UInt16 = 1000, reason: String = "", within milliseconds: Int32 = 1000
  ) {
    connection.close(code: code, reason: reason)
    inbox.end(within: milliseconds)
    cutUnlessClosed()
  }

  /// Ends the connection at once, unless the closing handshake is complete.
  ///
  /// After the handshake, the connection ends when the server closes its side, or after a timeout.
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
        throw Failure(.timeout, "'\(url)' does not read what is sent", kind: .timeout, url: url)
      }
      // Nothing wakes the thread when bytes are written, so it polls.
      var nothing: [pollfd] = []
      try interruption.wait(for: &nothing, within: 10)
    }
  }
}
