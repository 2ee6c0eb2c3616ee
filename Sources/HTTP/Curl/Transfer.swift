import Core

/// One request in flight: its libcurl handle and what its callbacks remember.
///
/// Made, used and freed on the network thread only. libcurl holds a bare pointer to it, which is good
/// as long as the handle: both end together.
final class Transfer {
  let id: UInt64
  let request: HTTPRequest
  let mailbox: Mailbox
  var handle: EasyHandle

  /// Why one of our callbacks ended the transfer; it outranks libcurl's own code.
  var verdict: Failure?
  /// The guard's reason for the last address it refused.
  var refusedAddress: String?
  /// Whether any address was allowed and tried.
  var triedAddress = false
  var head = ResponseHeadReader()
  var hasDeliveredHead = false
  /// Whether the connection is one to a proxy, so that its address tells nothing of the target's.
  var usesProxy = false
  /// The end of a gzip body as it came, where that is watched.
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

  // MARK: What libcurl's callbacks report

  /// Reads a header line; false ends the transfer.
  func receiveHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    lastActivity = monotonicSeconds()
    // Trailers come after the head and carry nothing that a caller may rely on; they must end, though.
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

  /// Looks at the body before it is decoded, where its encoding tells its length at its end.
  private func watchEncoding(of head: HTTPHead) {
    guard request.noticesCutEncoding, let end = GzipEnd(head) else { return }
    // Both fail only for a handle that is none; then nothing is watched, as before.
    guard (try? handle.set(.isVerbose, 1)) != nil else { return }
    encodedBody = end
  }

  /// Delivers decoded bytes, counted here since libcurl 7.88 has no limit that counts them.
  ///
  /// - Returns: Whether they were accepted, or an order to pause or to stop.
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

  /// Judges whether the request may be sent now; false ends the transfer.
  ///
  /// One that may have an effect goes out once (RFC 9110, 9.2.2): the peer may have done, and billed,
  /// what it was asked before its connection was lost, so that asking again is the caller's decision.
  func maySend() -> Bool {
    guard wasSent, hasEffect else {
      wasSent = true
      return true
    }
    verdict = lost
    return false
  }

  /// Whether the peer may have done something that it does again when it is asked again.
  private var hasEffect: Bool {
    !["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.method)
  }

  private var lost: Failure {
    Failure(
      .networkUnavailable, "the connection to '\(request.shownURL)' was lost", kind: .reset,
      url: request.shownURL)
  }

  /// The failure that an end of libcurl stands for once the request was sent: that libcurl could not
  /// connect to send it again does not mean that nobody has it.
  private func settled(_ error: CurlError?) -> Failure? {
    guard let failure = failure(error) else { return nil }
    let isUnsent = [.resolve, .connect, .connectTimeout, .tls, .proxy].contains(failure.kind)
    return wasSent && hasEffect && isUnsent ? lost : failure
  }

  /// Judges the bytes that went over the network both ways so far; false ends the transfer.
  ///
  /// libcurl tells them as they move: an upload is no silence, nor are bytes that decode to nothing.
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

  /// Goes on after a pause.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    lastActivity = monotonicSeconds()
    handle.goOn()
  }

  /// When the peer will have been silent for too long, if nothing more comes.
  var idleDeadline: Double? {
    request.timeouts.idle > 0 ? lastActivity + request.timeouts.idle : nil
  }

  /// Whether the peer has been silent for too long.
  ///
  /// Our own pauses are no silence, nor is the time to connect, which has its own limit.
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

  /// Tells the consumer how the transfer ended.
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
