public import Core
import Foundation

extension PageReader {
  /// Reads any number of files in parallel on all processors, in bounded memory.
  ///
  /// - Parameters:
  ///   - next: A function that returns the path of the next file; nil at the end. Calls never
  ///     overlap.
  ///   - deliver: A function that receives each page, or the failure to read its file. It is called
  ///     for one file at a time, in the order of the files. If it throws, reading stops.
  /// - Throws: Any error that `next` or `deliver` throws.
  public func readAll(
    next: @Sendable () async throws(Failure) -> String?,
    deliver: (Result<Page, Failure>) async throws(Failure) -> Void
  ) async throws(Failure) {
    // More files than processors are queued, so that no processor is idle.
    let limit = 4 * max(1, ProcessInfo.processInfo.activeProcessorCount)
    let failure: Failure? = await withTaskGroup(of: (Int, Result<Page, Failure>).self) { group in
      var order = ResultOrder<Result<Page, Failure>>(isKept: true)
      do throws(Failure) {
        var isDone = false
        while true {
          while !isDone, !Task.isCancelled, order.unfinished < limit {
            guard let path = try await next() else {
              isDone = true
              break
            }
            let number = order.begin()
            group.addTask { (number, await result(of: path)) }
          }
          guard let (number, result) = await group.next() else { return nil }
          for due in order.end(result, number) { try await deliver(due) }
        }
      } catch {
        group.cancelAll()
        return error
      }
    }
    if let failure { throw failure }
  }

  private func result(of path: String) async -> Result<Page, Failure> {
    do {
      return .success(try await read(path: path))
    } catch {
      return .failure(error.at(Failure.shownPath(path)))
    }
  }
}
