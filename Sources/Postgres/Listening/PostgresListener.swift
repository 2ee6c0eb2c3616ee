import Core
import Foundation
import Storage
import Synchronization

/// A connection that listens for notifications of commits, on a thread of its own.
///
/// A notification may be lost with the connection. The number of commits is therefore read each
/// second as well.
final class PostgresListener: Sendable {
  private struct Registration: Sendable {
    weak var waiter: PostgresWaiter?
  }

  private let connection: PostgresConnection
  private let clock: PostgresClock
  private let end = Interruption()
  private let waiters = Mutex<[Registration]>([])

  /// The time between two reads of the number of commits, and between two attempts to connect, in
  /// milliseconds.
  private static let pause: Int32 = 1000
  private static let question = "SELECT value, \(PostgresClock.expression) FROM changeCount"

  /// Starts to listen at the given address.
  ///
  /// - Parameters:
  ///   - address: The address of the database.
  ///   - clock: The clock that each answer sets.
  /// - Throws: `StorageFailed` if the database cannot be reached.
  init(_ address: PostgresAddress, clock: PostgresClock) throws(Failure) {
    connection = PostgresConnection(address)
    self.clock = clock
    let count = try listen()
    Thread.detachNewThread { [self] in work(count) }
  }

  /// Stops listening.
  ///
  /// Waits that have begun end with their time limits.
  func close() { end.fire(signal: SIGTERM) }

  /// Returns a waiter that is woken by each commit from now on, until it is released.
  ///
  /// - Throws: `StorageFailed` if there are too many open files.
  func makeWaiter() throws(Failure) -> PostgresWaiter {
    let waiter = try PostgresWaiter()
    waiters.withLock { waiters in
      waiters.removeAll { $0.waiter == nil }
      waiters.append(Registration(waiter: waiter))
    }
    return waiter
  }

  private func work(_ first: RecordValue) {
    var last: RecordValue? = first
    while end.signal == nil {
      do throws(Failure) {
        if last == nil {
          last = try listen()
          // Commits may have been missed.
          wakeAll()
        }
        let isNotified = try connection.isNotified(within: Self.pause, end)
        let count = try count()
        if isNotified || count != last { wakeAll() }
        last = count
      } catch {
        guard error.code != .interrupted else { break }
        connection.close()
        last = nil
        do throws(Failure) { _ = try end.isReadable(-1, within: Self.pause) } catch { break }
      }
    }
    connection.close()
  }

  /// Connects, and returns the number of commits.
  private func listen() throws(Failure) -> RecordValue {
    try connection.open()
    try connection.run("LISTEN \(PostgresSchema.channel)")
    return try count()
  }

  private func count() throws(Failure) -> RecordValue {
    let result = try connection.run(Self.question)
    if case .integer(let time) = result.value(row: 0, column: 1) { clock.set(time) }
    return result.value(row: 0, column: 0)
  }

  private func wakeAll() {
    for waiter in waiters.withLock({ $0.compactMap(\.waiter) }) { waiter.wake() }
  }
}
