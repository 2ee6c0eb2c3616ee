import Core
import Foundation
import Storage
import Synchronization

/// A connection that listens for notifications of commits, on a thread of its own.
///
/// A notification may be lost with the connection. The numbers of commits and of events are
/// therefore read each second as well.
final class PostgresListener: Sendable {
  private struct Registration: Sendable {
    let channel: PostgresChannel
    weak var waiter: PostgresWaiter?
  }

  /// The numbers of commits, by the channel that notifies of them.
  private typealias Counts = [PostgresChannel: RecordValue]

  private let connection: PostgresConnection
  private let clock: PostgresClock
  private let end = Interruption()
  private let waiters = Mutex<[Registration]>([])
  private let lastFailure = Mutex<Failure?>(nil)

  /// The time between two reads of the number of commits, and between two attempts to connect, in
  /// milliseconds.
  private static let pause: Int32 = 1000
  private static let question = """
    SELECT value, last, \(PostgresClock.expression) FROM changeCount, eventLog
    """

  /// Starts to listen at the given address.
  ///
  /// - Parameters:
  ///   - address: The address of the database.
  ///   - clock: The clock that each answer sets.
  /// - Throws: `StorageFailed` if the database cannot be reached.
  init(_ address: PostgresAddress, clock: PostgresClock) throws(Failure) {
    connection = PostgresConnection(address)
    self.clock = clock
    let counts = try listen()
    Thread.detachNewThread { [self] in work(counts) }
  }

  /// The failure of the last attempt to read the database; nil if it succeeded.
  var failure: Failure? { lastFailure.withLock { $0 } }

  /// Stops listening.
  ///
  /// Waits that have begun end with their time limits.
  func close() { end.fire(signal: SIGTERM) }

  /// Returns a waiter that is woken by each commit from now on that the given channel notifies of,
  /// until it is released.
  ///
  /// - Throws: `StorageFailed` if there are too many open files.
  func makeWaiter(for channel: PostgresChannel) throws(Failure) -> PostgresWaiter {
    let waiter = try PostgresWaiter()
    waiters.withLock { waiters in
      waiters.removeAll { $0.waiter == nil }
      waiters.append(Registration(channel: channel, waiter: waiter))
    }
    return waiter
  }

  private func work(_ first: Counts) {
    var last: Counts? = first
    while end.signal == nil {
      do throws(Failure) {
        if last == nil {
          last = try listen()
          // Commits may have been missed.
          wake(PostgresChannel.allCases)
        }
        let names = try connection.notifiedChannels(within: Self.pause, end)
        let counts = try counts()
        wake(
          PostgresChannel.allCases.filter { channel in
            names.contains(channel.rawValue) || counts[channel] != last?[channel]
          })
        last = counts
        lastFailure.withLock { $0 = nil }
      } catch {
        guard error.code != .interrupted else { break }
        lastFailure.withLock { $0 = error }
        connection.close()
        last = nil
        do throws(Failure) { _ = try end.isReadable(-1, within: Self.pause) } catch { break }
      }
    }
    connection.close()
  }

  /// Connects, and returns the numbers of commits.
  private func listen() throws(Failure) -> Counts {
    try connection.open()
    for channel in PostgresChannel.allCases { try connection.run("LISTEN \(channel.rawValue)") }
    return try counts()
  }

  private func counts() throws(Failure) -> Counts {
    let start = ContinuousClock.now
    let result = try connection.run(Self.question)
    if let time = result.integer(row: 0, column: 2) { clock.set(time, askedAt: start) }
    return [
      .records: result.value(row: 0, column: 0), .events: result.value(row: 0, column: 1),
    ]
  }

  private func wake(_ channels: [PostgresChannel]) {
    guard !channels.isEmpty else { return }
    let woken = waiters.withLock { waiters in
      waiters.filter { channels.contains($0.channel) }.compactMap(\.waiter)
    }
    for waiter in woken { waiter.wake() }
  }
}
