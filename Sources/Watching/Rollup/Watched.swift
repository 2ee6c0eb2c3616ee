import Core
import Storage
import Synchronization

/// The watched state: the store, with a cache of the documents that were read.
///
/// The cache is valid until another process, or another part of this one, changes the store.
final class Watched: Sendable {
  let store: Store
  private let memory = Mutex(WatchedMemory())

  init(_ store: Store) { self.store = store }

  /// Reads in one transaction.
  ///
  /// - Throws: `StorageFailed`, or the errors of the closure.
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

  /// Changes the state in one transaction, while other processes wait.
  ///
  /// - Throws: `StorageFailed`, or the errors of the closure; nothing is stored then.
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
