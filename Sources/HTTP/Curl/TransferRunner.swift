import Core

/// The transfers in flight on the network thread, and the loop that drives them.
struct TransferRunner: ~Copyable {
  private let multi: MultiHandle
  private var transfers: [UInt64: Transfer] = [:]
  /// The earliest time at which a transfer can reach its idle limit, in monotonic seconds.
  private var nextIdleCheck = Double.infinity

  init(multi: consuming MultiHandle) {
    self.multi = multi
  }

  /// Drives transfers until the given loop is closed and all of its transfers are finished.
  mutating func run(_ loop: TransferLoop) {
    while true {
      let work = loop.nextWork()
      for reader in work.cookieReaders { reader.resume(returning: multi.cookieLines) }
      for job in work.submitted { start(job) }
      for id in work.resumed { transfers[id]?.resume() }
      for id in work.aborted { drop(id) }
      var error = multi.perform()
      while let (transfer, error) = multi.nextFinished() { finish(transfer, error) }
      failIdle()
      if work.isClosed, transfers.isEmpty { break }
      if error == nil { error = multi.poll(milliseconds: patience()) }
      if let error { failAll(error) }
    }
  }

  private mutating func start(_ job: TransferLoop.Job) {
    guard let transfer = Transfer(job) else { return job.mailbox.finish(.failed(.noLibrary)) }
    do throws(CurlError) {
      try transfer.prepare()
      try multi.add(transfer)
    } catch {
      return transfer.finish(error)
    }
    transfers[job.id] = transfer
    if let deadline = transfer.idleDeadline { nextIdleCheck = min(nextIdleCheck, deadline) }
  }

  private mutating func drop(_ id: UInt64) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    multi.remove(transfer)
  }

  private mutating func finish(_ transfer: Transfer, _ error: CurlError?) {
    transfer.finish(error)
    drop(transfer.id)
  }

  /// Ends the transfers whose peers have been silent for too long.
  ///
  /// The transfers are checked only when one of them may have reached its limit.
  private mutating func failIdle() {
    let now = monotonicSeconds()
    guard now >= nextIdleCheck else { return }
    nextIdleCheck = .infinity
    for transfer in Array(transfers.values) {
      if transfer.isIdle(at: now) {
        finish(transfer, .timedOut)
      } else if let deadline = transfer.idleDeadline {
        nextIdleCheck = min(nextIdleCheck, deadline)
      }
    }
  }

  /// Returns the time to wait for traffic in milliseconds, which libcurl may shorten.
  private func patience() -> Int32 {
    let seconds = nextIdleCheck - monotonicSeconds()
    return Int32(min(max((seconds * 1000).rounded(.up), 0), 60_000))
  }

  /// Fails all transfers with the given error of the multi handle that contains them.
  private mutating func failAll(_ error: CurlError) {
    for transfer in Array(transfers.values) {
      transfer.verdict = Failure(
        .networkUnavailable, "the network thread failed", kind: .library,
        cause: error.sentence)
      finish(transfer, error)
    }
  }
}
