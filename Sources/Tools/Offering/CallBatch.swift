public import Core
import Synchronization

/// The calls of a stream of records: several run at once, and all lines are answered in order.
public final class CallBatch: Sendable {
  /// A line of the input, and what became of it.
  public enum Answer: Sendable {
    /// The outcome of a call, and the line of the call.
    case outcome(ToolOutcome, source: String)
    /// A record that is no call.
    case other(RawRecord)
    /// A line that is not a record, or no valid call.
    case bad(Failure)
  }

  private let reader: Mutex<RecordReader>
  private let blocking = Blocking("input", inOrder: true)
  private let toolbox: Toolbox
  private let jobs: Int

  /// Creates the batch of the calls that the given reader reads.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - toolbox: The tools.
  ///   - jobs: The number of calls that may run at once.
  public init(_ reader: consuming sending RecordReader, _ toolbox: Toolbox, jobs: Int) {
    self.reader = Mutex(reader)
    (self.toolbox, self.jobs) = (toolbox, jobs)
  }

  private enum Step: Sendable {
    case read(Result<RecordReader.Item?, Failure>)
    case answered(Int, Answer)
  }

  /// Makes the calls, and delivers an answer for each line, in the order of the lines.
  ///
  /// Each call that was read has an answer, also after an interruption.
  ///
  /// - Throws: `Interrupted`; `StorageFailed` if the input cannot be read; the errors of `deliver`.
  public func run(
    _ deliver: (Answer) throws(Failure) -> Void
  ) async throws(Failure) {
    let failure = await withTaskGroup(of: Step.self) { group -> Failure? in
      var (isReading, hasEnded, failure) = (false, false, Failure?.none)
      var (count, next, running) = (0, 0, 0)
      var waiting: [Int: Answer] = [:]
      while true {
        if !isReading, !hasEnded, running < jobs, waiting.count < 4 * jobs {
          isReading = true
          group.addTask { .read(await self.read()) }
        }
        guard let step = await group.next() else { return failure }
        switch step {
        case .read(.failure(let problem)):
          (isReading, hasEnded, failure) = (false, true, failure ?? problem)
        case .read(.success(nil)): (isReading, hasEnded) = (false, true)
        case .read(.success(.some(let item))):
          isReading = false
          let number = count
          count += 1
          running += 1
          group.addTask { .answered(number, await self.answer(item)) }
        case .answered(let number, let answer):
          running -= 1
          waiting[number] = answer
        }
        while let answer = waiting.removeValue(forKey: next) {
          next += 1
          do throws(Failure) {
            try deliver(answer)
          } catch {
            // Nobody reads any longer, so nothing else is called.
            (hasEnded, failure) = (true, failure ?? error)
            group.cancelAll()
          }
        }
      }
    }
    if let failure { throw failure }
  }

  private func read() async -> Result<RecordReader.Item?, Failure> {
    do throws(Failure) {
      return .success(
        try await blocking.run { () throws(Failure) in
          try self.reader.withLock { (reader) throws(Failure) in try reader.next() }
        })
    } catch {
      return .failure(error)
    }
  }

  private func answer(_ item: RecordReader.Item) async -> Answer {
    switch item {
    case .bad(let failure): return .bad(failure)
    case .record(let record) where record.type != ToolCall.type: return .other(record)
    case .record(let record):
      do throws(Failure) {
        let call = try ToolCall(record)
        return .outcome(await toolbox.call(ToolRequest(call)), source: record.source)
      } catch {
        return .bad(error)
      }
    }
  }
}
