import Core
import Foundation
import Synchronization

/// The network thread of one client, and the requests submitted to it.
///
/// libcurl is used only on the network thread. Other threads communicate with that thread through
/// the state and the waker.
final class TransferLoop: Sendable {
  struct Job: Sendable {
    var id: UInt64
    var request: HTTPRequest
    var mailbox: Mailbox
  }

  struct Work: Sendable {
    var submitted: [Job] = []
    var resumed: [UInt64] = []
    var aborted: [UInt64] = []
    var cookieReaders: [CheckedContinuation<[String], Never>] = []
    var isClosed = false
  }

  private struct State {
    var work = Work()
    var nextID: UInt64 = 0
    var isRunning = false
    /// The waker of the network thread; nil if the thread does not run.
    var waker: MultiHandle.Waker?
  }

  private let state = Mutex(State())
  /// The initial cookies, as lines of a Netscape cookie file; nil to use no cookies.
  private let cookies: [String]?

  init(cookies: [String]? = nil) {
    self.cookies = cookies
  }

  /// The number of unread bytes at which a transfer pauses.
  private static let readAhead = 1 << 20

  /// Submits the given request.
  ///
  /// The first request starts the thread.
  func submit(_ request: HTTPRequest) -> Exchange {
    let mailbox = Mailbox(limit: request.maximumBodyBytes == nil ? Self.readAhead : .max)
    if let failure = request.refusal() {
      mailbox.finish(.failed(failure))
      return Exchange(id: .max, mailbox: mailbox, loop: self)
    }
    let (id, starts) = state.withLock { state -> (UInt64, Bool) in
      let id = state.nextID
      state.nextID += 1
      state.work.submitted.append(Job(id: id, request: request, mailbox: mailbox))
      let starts = !state.isRunning
      state.isRunning = true
      state.waker?.wake()
      return (id, starts)
    }
    if starts { startThread() }
    return Exchange(id: id, mailbox: mailbox, loop: self)
  }

  /// Resumes the paused transfer with the given id.
  func resume(_ id: UInt64) {
    state.withLock { state in
      state.work.resumed.append(id)
      state.waker?.wake()
    }
  }

  /// Aborts the transfer with the given id, because its consumer was released.
  func abort(_ id: UInt64) {
    state.withLock { state in
      state.work.aborted.append(id)
      state.waker?.wake()
    }
  }

  /// `true` if cookies are stored and sent.
  var keepsCookies: Bool { cookies != nil }

  /// Returns the current cookies, as lines of a Netscape cookie file.
  func currentCookies() async -> [String] {
    await withCheckedContinuation { continuation in
      let isRunning = state.withLock { state in
        guard state.isRunning else { return false }
        state.work.cookieReaders.append(continuation)
        state.waker?.wake()
        return true
      }
      if !isRunning { continuation.resume(returning: cookies ?? []) }
    }
  }

  /// Makes the thread end as soon as its transfers are finished.
  func close() {
    state.withLock { state in
      state.work.isClosed = true
      state.waker?.wake()
    }
  }

  /// Returns the work that was submitted since the last call.
  ///
  /// A request to close is returned each time.
  func nextWork() -> Work {
    state.withLock { state in
      let work = state.work
      state.work = Work(isClosed: work.isClosed)
      return work
    }
  }

  private func startThread() {
    Thread.detachNewThread { [self] in
      blockAllSignals()
      guard CurlLibrary.start(), let multi = MultiHandle(cookies: cookies) else {
        // Nothing was started, so all submitted requests fail; a later request starts the thread
        // again.
        state.withLock { $0.isRunning = false }
        let work = nextWork()
        for job in work.submitted { job.mailbox.finish(.failed(.noLibrary)) }
        for reader in work.cookieReaders { reader.resume(returning: cookies ?? []) }
        return
      }
      let waker = multi.waker
      state.withLock { $0.waker = waker }
      var runner = TransferRunner(multi: multi)
      runner.run(self)
      // The waker is removed before the handle is freed, so that no other thread wakes a freed
      // handle.
      state.withLock { $0.waker = nil }
      _ = consume runner
    }
  }
}

extension Failure {
  static var noLibrary: Failure {
    do throws(Failure) {
      try SystemLibrary.curl.require()
    } catch {
      return error
    }
    return Failure(.toolFailed, "libcurl cannot be started", kind: .library)
  }
}
