import Core
import Dispatch
import Synchronization

/// The threads on which a hub reads and changes its files.
///
/// With them, the event loops never block.
final class HubThreads: Sendable {
  private let readers = (0..<4).map { DispatchQueue(label: "hub.read.\($0)") }
  private let writer = DispatchQueue(label: "hub.store")
  private let pending = Atomic<Int>(0)
  private let nextReader = Atomic<Int>(0)
  private let spentReading = Atomic<Int>(0)
  private let spentWriting = Atomic<Int>(0)
  /// The largest number of requests that may wait for a thread.
  private static let mostPending = 512

  /// Runs the given work on a thread for reading.
  ///
  /// - Throws: `Overloaded` if too many requests wait; the errors of `work`.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let index = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
    return try await run(on: readers[index & (readers.count - 1)], isWrite: false, work)
  }

  /// Runs the given work, which changes the store.
  ///
  /// Only one change runs at a time.
  ///
  /// - Throws: `Overloaded` if too many requests wait; the errors of `work`.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await run(on: writer, isWrite: true, work)
  }

  /// The time spent on reading the files, in nanoseconds.
  var readNanoseconds: Int { spentReading.load(ordering: .relaxed) }
  /// The time spent on changing the store, in nanoseconds.
  var writeNanoseconds: Int { spentWriting.load(ordering: .relaxed) }

  private func run<Value: Sendable>(
    on queue: DispatchQueue, isWrite: Bool, _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    defer { pending.wrappingSubtract(1, ordering: .relaxed) }
    guard pending.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostPending else {
      throw Failure(.overloaded, "too many requests are waiting for the hub", retryAfterSeconds: 1)
    }
    let result = await withCheckedContinuation { continuation in
      queue.async { [self] in
        let began = DispatchTime.now().uptimeNanoseconds
        defer {
          let spent = Int(DispatchTime.now().uptimeNanoseconds - began)
          if isWrite {
            spentWriting.wrappingAdd(spent, ordering: .relaxed)
          } else {
            spentReading.wrappingAdd(spent, ordering: .relaxed)
          }
        }
        do throws(Failure) {
          continuation.resume(returning: Result<Value, Failure>.success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
