import Core
import Dispatch
import Synchronization

/// A fixed number of connections, each of which serves one thread at a time.
final class PostgresPool: Sendable {
  private let free: Mutex<[PostgresConnection]>
  private let available = DispatchSemaphore(value: 0)

  /// Creates the given number of connections, which are opened when they are first used.
  init(_ address: PostgresAddress, count: Int) {
    free = Mutex((0..<count).map { _ in PostgresConnection(address) })
    for _ in 0..<count { available.signal() }
  }

  /// Runs `work` with a connection that is free, and waits for one if none is.
  ///
  /// - Throws: The failure that `work` throws.
  func use<Value>(
    _ work: (PostgresConnection) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    available.wait()
    // The connection that was used last is the most likely to be open.
    let connection = free.withLock { $0.removeLast() }
    defer {
      free.withLock { $0.append(connection) }
      available.signal()
    }
    return try work(connection)
  }
}
