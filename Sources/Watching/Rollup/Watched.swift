import Core
import Storage
import Synchronization

/// What is known of what is watched: in the store, and in memory as much of it as was looked at.
///
/// What is in memory is read once and used again until another process, or another part of this one,
/// changes the store.
final class Watched: Sendable {
  let store: Store
  private let memory = Mutex(WatchedMemory())

  init(_ store: Store) { self.store = store }

  /// Reads, in one transaction.
  ///
  /// - Throws: `StorageFailed`, or what the reading throws.
  func read<Value: Sendable>(
    _ read: (WatchedState) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try memory.withLock { (memory) throws(Failure) in
      try store.base.read { rows in
        let state = try WatchedState(WatchedTables(rows), taking: &memory)
        let value = try read(state)
        memory = state.memory
        return value
      }
    }
  }

  /// Changes what is known, in one transaction; other processes wait meanwhile.
  ///
  /// - Throws: `StorageFailed`, or what the change throws; nothing is kept then.
  @discardableResult
  func change<Value: Sendable>(
    _ change: (WatchedState) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try memory.withLock { (memory) throws(Failure) in
      try store.base.write { rows in
        let state = try WatchedState(WatchedTables(rows), taking: &memory)
        let value = try change(state)
        try state.save()
        memory = state.memory
        return value
      }
    }
  }
}
