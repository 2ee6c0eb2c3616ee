import Core
import Storage
import Synchronization

/// The watched state in the store, with a cache of the documents that were read.
///
/// The cache is valid until another process changes the store.
final class Watched: Sendable {
  let store: Store
  private let memory = Mutex(WatchedMemory())

  init(_ store: Store) { self.store = store }

  /// Reads the state in one transaction.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read; the errors of `read`.
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

  /// Changes the state in one transaction.
  ///
  /// Other processes wait until it ends.
  ///
  /// If an error is thrown, nothing is stored.
  ///
  /// - Throws: `StorageFailed` if the store cannot be changed; the errors of `change`.
  @discardableResult
  func change<Value: Sendable>(
    _ change: (WatchedState) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try memory.withLock { (memory) throws(Failure) in
      let (value, changed) = try store.base.write { rows in
        let state = try WatchedState(WatchedTables(rows), taking: &memory)
        let value = try change(state)
        try state.save()
        return (value, state.memory)
      }
      // Before the commit, other documents would be in the cache than in the store.
      memory = changed
      return value
    }
  }
}
