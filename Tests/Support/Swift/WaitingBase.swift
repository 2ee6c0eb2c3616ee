package import Core
package import Storage

/// A base whose users read its clock, and then wait for the lock of writers for a day.
package struct WaitingBase: RecordBase {
  private let base: any RecordBase

  /// Creates such a base over the given one.
  package init(_ base: any RecordBase) { self.base = base }

  package func read<Value>(_ query: (any Rows) throws -> Value) throws(Failure) -> Value {
    try base.read(query)
  }

  package func write<Value>(_ transaction: (any Rows) throws -> Value) throws(Failure) -> Value {
    try base.write(transaction)
  }

  package func wakeUp(_ interruption: Interruption) throws(Failure) -> RecordWait {
    try base.wakeUp(interruption)
  }

  /// The time before the wait.
  ///
  /// Transactions read the time after it.
  package var now: Timestamp { base.now.adding(seconds: -86_400) }
}
