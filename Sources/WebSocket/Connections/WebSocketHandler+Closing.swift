import NIOCore

/// The closing handshake (RFC 6455 section 7).
extension WebSocketHandler {
  /// Begins the closing handshake, and starts the timer that limits its duration.
  func close(code: UInt16, reason: String) {
    guard phase == .open else { return }
    phase = .closing
    sendClose(code, reason, promise: nil)
    startTimer()
    // Unread input must be read first, because the peer's Close frame comes after it.
    resume()
  }

  /// Ends the connection without a Close frame.
  func cut() {
    lostBecause = lostBecause ?? "cut"
    context?.close(promise: nil)
  }

  /// Handles the peer's Close frame.
  ///
  /// The frame is answered if this side has not sent one yet. A server then closes the connection;
  /// a client waits for the server to close it.
  func receiveClose(_ code: UInt16?, _ reason: String) {
    guard let context else { return }
    let written = context.eventLoop.makePromise(of: Void.self)
    if phase == .open {
      sendClose(code, "", promise: written)
    } else {
      written.succeed()
    }
    phase = .ended
    forget()
    startTimer()
    report(WebSocketClosure(code: Int(code ?? 1005), reason: reason, origin: .peer))
    guard isServer else { return }
    written.futureResult.assumeIsolated().whenComplete { _ in self.context?.close(promise: nil) }
  }

  /// Ends the connection because the peer violated the protocol.
  ///
  /// Further input is read and discarded. Closing with unread input would reset the connection, and
  /// the peer would never read the reason.
  func refuse(_ fault: WebSocketFault) {
    guard let context else { return }
    let written = context.eventLoop.makePromise(of: Void.self)
    if phase == .open {
      sendClose(fault.code, fault.reason, promise: written)
    } else {
      written.succeed()
    }
    phase = .ended
    forget()
    startTimer()
    report(WebSocketClosure(code: Int(fault.code), reason: fault.reason, origin: .here))
    guard isServer else { return }
    written.futureResult.assumeIsolated().whenComplete { _ in
      self.context?.close(mode: .output, promise: nil)
    }
  }

  /// Handles that the channel has ended: the connection was lost.
  func lose() {
    phase = .ended
    forget()
    timer?.cancel()
    timer = nil
    report(
      WebSocketClosure(
        code: 1006, reason: lostBecause ?? "the connection was lost", origin: .lost))
  }

  /// Sends a Close frame with the given code and reason, or an empty one if `code` is nil.
  private func sendClose(_ code: UInt16?, _ reason: String, promise: EventLoopPromise<Void>?) {
    var payload = ByteBuffer()
    if let code {
      payload.writeInteger(code)
      payload.writeString(Self.cut(reason, to: WebSocketFrameHeader.longestControl - 2))
    }
    send(.close, payload, promise: promise)
  }

  /// Returns the longest prefix of the given text that consists of complete characters and at most
  /// `bytes` bytes.
  private static func cut(_ text: String, to bytes: Int) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= bytes else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private func startTimer() {
    guard timer == nil, let context else { return }
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: .milliseconds(limits.closingMilliseconds)) {
      let handler = bound.value
      handler.lostBecause = handler.lostBecause ?? "the closing handshake took too long"
      handler.context?.close(promise: nil)
    }
  }

  /// Reports that the connection has ended, unless that was already reported; releases the
  /// handlers.
  private func report(_ closure: WebSocketClosure) {
    guard self.closure == nil else { return }
    self.closure = closure
    let told = onClosed
    (onText, onBinary, onPong, onClosed, onWritabilityChanged) = (nil, nil, nil, nil, nil)
    onBytes = nil
    told?(closure)
  }
}
