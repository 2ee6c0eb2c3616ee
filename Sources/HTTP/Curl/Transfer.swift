import Core

/// A request in flight, with its libcurl handle and the state of the callbacks.
///
/// A transfer is created, used and freed only on the network thread. libcurl has an unretained
/// pointer to it. The pointer is valid as long as the handle, because the transfer owns the handle.
final class Transfer {
  let id: UInt64
  let request: HTTPRequest
  let mailbox: Mailbox
  var handle: EasyHandle

  /// The failure with which a callback ended the transfer.
  ///
  /// It takes precedence over libcurl's error code.
  var verdict: Failure?
  /// The guard's reason for its most recent refusal of an address.
  var refusedAddress: String?
  /// `true` if a connection to an allowed address was tried.
  var triedAddress = false
  var head = ResponseHeadReader()
  var hasDeliveredHead = false
  /// `true` if the connection leads to a proxy.
  ///
  /// Its address is then not the target's address.
  var usesProxy = false
  /// The watch of the encoded body's end; nil if the encoding is not watched.
  var encodedBody: GzipEnd?

  private var deliveredBytes = 0
  private var trailerBytes = 0
  private var isPaused = false
  private let began = monotonicSeconds()
  private var lastActivity = monotonicSeconds()
  private var movedBytes = 0
  private var wasSent = false

  init?(_ job: TransferLoop.Job) {
    guard let handle = EasyHandle() else { return nil }
    self.handle = handle
    id = job.id
    request = job.request
    mailbox = job.mailbox
  }

  // MARK: The callbacks of libcurl

  /// Reads the given header line.
  ///
  /// - Returns: `false` if the transfer must end.
  func receiveHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    lastActivity = monotonicSeconds()
    // Trailers, which follow the head, are not used, but their size is limited.
    guard !hasDeliveredHead else {
      trailerBytes += line.count
      guard trailerBytes > ResponseHeadReader.maximumBytes else { return true }
      verdict = head.malformed("its trailers are too large")
      return false
    }
    do {
      guard let final = try head.read(line) else { return true }
      hasDeliveredHead = true
      watchEncoding(of: final)
      return mailbox.offer(.head(final)) != .abandoned
    } catch {
      verdict = error
      return false
    }
  }

  /// Starts to watch the encoded body if gzip is its only coding.
  private func watchEncoding(of head: HTTPHead) {
    guard request.noticesCutEncoding, let end = GzipEnd(head) else { return }
    // Both calls fail only for an invalid handle; then the encoding is not watched.
    guard (try? handle.set(.isVerbose, 1)) != nil else { return }
    encodedBody = end
  }

  /// Delivers the given decoded bytes to the consumer.
  ///
  /// The bytes are counted here, because libcurl 7.88 does not limit decoded bytes.
  ///
  /// - Returns: `accepted`, or an order to pause or stop the transfer.
  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Mailbox.Acceptance {
    lastActivity = monotonicSeconds()
    guard !bytes.isEmpty else { return .accepted }
    let room = (request.maximumBodyBytes ?? .max) - deliveredBytes
    let piece = UnsafeBufferPointer(rebasing: bytes.prefix(max(room, 0)))
    if !piece.isEmpty {
      switch mailbox.offer(.body(Array(piece))) {
      case .accepted:
        deliveredBytes += piece.count
      case .pause:
        isPaused = true
        return .pause
      case .abandoned:
        return .abandoned
      }
    }
    guard piece.count == bytes.count else {
      verdict = tooLarge(request.maximumBodyBytes ?? 0, "decoded bytes")
      return .abandoned
    }
    return .accepted
  }

  /// Returns `true` if the request may be sent now.
  ///
  /// If it returns `false`, the transfer ends. A request with side effects is sent only once (RFC
  /// 9110, section 9.2.2). If the connection is lost, the peer may have executed and billed the
  /// request. A retry is therefore the caller's decision.
  func maySend() -> Bool {
    guard wasSent, hasEffect else {
      wasSent = true
      return true
    }
    verdict = lost
    return false
  }

  /// `true` if sending the request again may repeat a side effect.
  private var hasEffect: Bool {
    !["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.method)
  }

  private var lost: Failure {
    Failure(
      .networkUnavailable, "the connection to '\(request.shownURL)' was lost", kind: .reset,
      url: request.shownURL)
  }

  /// Returns the failure that corresponds to the given error, considering if the request was sent.
  ///
  /// If libcurl could not connect to send the request again, the peer may still have received it
  /// the first time.
  private func settled(_ error: CurlError?) -> Failure? {
    guard let failure = failure(error) else { return nil }
    let isUnsent = [.resolve, .connect, .connectTimeout, .tls, .proxy].contains(failure.kind)
    return wasSent && hasEffect && isUnsent ? lost : failure
  }

  /// Checks the numbers of bytes that were received and sent so far.
  ///
  /// Bytes in either direction count as activity, even if they have not produced decoded output.
  ///
  /// - Returns: `false` if the transfer must end.
  func allowsWireBytes(_ count: Int, sent: Int) -> Bool {
    if count + sent != movedBytes {
      movedBytes = count + sent
      lastActivity = monotonicSeconds()
    }
    guard let maximum = request.maximumWireBytes, count > maximum else { return true }
    verdict = tooLarge(maximum, "bytes on the network")
    return false
  }

  private func tooLarge(_ maximum: Int, _ unit: String) -> Failure {
    Failure(
      .pageRefused, "the body of '\(request.shownURL)' is larger than \(maximum) \(unit)",
      kind: .tooLarge, status: head.status, url: request.shownURL)
  }

  // MARK: Pausing and silence

  /// Resumes the transfer after a pause.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    lastActivity = monotonicSeconds()
    handle.goOn()
  }

  /// The time at which the transfer fails if no more bytes arrive, in monotonic seconds.
  ///
  /// It is nil if the transfer cannot fail for this reason.
  var idleDeadline: Double? {
    request.timeouts.idle > 0 ? lastActivity + request.timeouts.idle : nil
  }

  /// Returns `true` if the peer has been silent for too long.
  ///
  /// Pauses that the client makes do not count. The time to connect does not count either, because
  /// it has a separate limit.
  func isIdle(at now: Double) -> Bool {
    let connecting = Double(handle.value(.ready)) / 1_000_000
    lastActivity = isPaused || connecting == 0 ? now : max(lastActivity, began + connecting)
    guard let deadline = idleDeadline, now >= deadline else { return false }
    verdict = Failure(
      .timeout, "'\(request.shownURL)' sent nothing for \(shown(request.timeouts.idle)) s",
      kind: .idleTimeout, url: request.shownURL)
    return true
  }

  // MARK: The end

  /// Delivers the end of the transfer, with the given error if it failed, to the consumer.
  func finish(_ error: CurlError?) {
    if let failure = verdict ?? settled(error) ?? cutEncoding() {
      mailbox.finish(.failed(failure))
    } else {
      mailbox.finish(.event(.end(timing)))
    }
  }

  private func cutEncoding() -> Failure? {
    guard encodedBody?.isCut(afterDecoding: deliveredBytes) == true else { return nil }
    return Failure(
      .invalidResponse, "the gzip body of '\(request.shownURL)' ends early", kind: .decode,
      status: head.status, url: request.shownURL)
  }

  private var timing: HTTPTiming {
    func milliseconds(_ time: EasyHandle.Information) -> Double {
      Double(handle.value(time)) / 1000
    }
    let secured = milliseconds(.secured)
    return HTTPTiming(
      nameLookupMs: milliseconds(.nameLookup),
      connectMs: secured > 0 ? secured : milliseconds(.connect),
      firstByteMs: milliseconds(.firstByte),
      totalMs: milliseconds(.total),
      wireBytes: handle.value(.wireBytes),
      remoteAddress: handle.remoteAddress.flatMap { $0.isEmpty ? nil : $0 })
  }
}
