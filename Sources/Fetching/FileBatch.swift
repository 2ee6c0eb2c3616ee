public import Core
import Foundation

extension PageFetcher {
  /// Reads many files, as many at once as there are processors, in bounded memory.
  ///
  /// - Parameters:
  ///   - next: The next file's path, or nil when there are no more. Never called twice at once.
  ///   - deliver: Takes each page, or the failure that names its file, as it comes, one at a time,
  ///     in no order. When it throws, the files that are being read are given up.
  /// - Throws: What `next` or `deliver` threw.
  public func readAll(
    next: @Sendable () async throws(Failure) -> String?,
    deliver: (Result<Page, Failure>) async throws(Failure) -> Void
  ) async throws(Failure) {
    // One more waits for each that is being read, so that no processor does.
    let limit = 2 * max(1, ProcessInfo.processInfo.activeProcessorCount)
    let failure: Failure? = await withTaskGroup(of: Result<Page, Failure>.self) { group in
      var running = 0
      do throws(Failure) {
        while !Task.isCancelled, let path = try await next() {
          if running >= limit, let result = await group.next() {
            running -= 1
            try await deliver(result)
          }
          running += 1
          group.addTask { await result(of: path) }
        }
        while let result = await group.next() { try await deliver(result) }
        return nil
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
      return .failure(error.at(Visible.line(path)))
    }
  }
}
