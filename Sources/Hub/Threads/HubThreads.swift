import Core
import Dispatch
import Synchronization

/// The threads on which a hub reads and changes its files: never on an event loop, nor in a task of
/// a request.
final class HubThreads: Sendable {
  private let readers = (0..<4).map { DispatchQueue(label: "hub.read.\($0)") }
  private let writer = DispatchQueue(label: "hub.store")
  private let pending = Atomic<Int>(0)
  private let nextReader = Atomic<Int>(0)
  private let spentReading = Atomic<Int>(0)
  private let spentWriting = Atomic<Int>(0)
  /// So many requests may wait for a thread.
  private static let mostPending = 512

  /// Reads something.
  ///
  /// - Throws: `Overloaded` where too many wait; what the reading throws.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let index = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
    return try await run(on: readers[index & (readers.count - 1)], isWrite: false, work)
  }

  /// Changes something in the store; one change at a time.
  ///
  /// - Throws: `Overloaded` where too many wait; what the change throws.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await run(on: writer, isWrite: true, work)
  }

  /// For how many nanoseconds the files were read.
  var readNanoseconds: Int { spentReading.load(ordering: .relaxed) }
  /// For how many nanoseconds the store was changed.
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
