import Core

/// The consumer's side of one transfer.
///
/// The transfer is aborted when the exchange is released.
final class Exchange: Sendable {
  let id: UInt64
  let mailbox: Mailbox
  private let loop: TransferLoop

  init(id: UInt64, mailbox: Mailbox, loop: TransferLoop) {
    self.id = id
    self.mailbox = mailbox
    self.loop = loop
  }

  deinit {
    if mailbox.abandon() { loop.abort(id) }
  }

  /// Returns the next step of the response, waiting until there is one.
  ///
  /// After a failure or the end of the response, the step is always `finished`.
  func next() async -> Mailbox.Step {
    let (step, resumes) = mailbox.next()
    if resumes { loop.resume(id) }
    if let step { return step }
    return await withTaskCancellationHandler {
      await mailbox.wait()
    } onCancel: {
      if mailbox.abandon() { loop.abort(id) }
    }
  }
}
