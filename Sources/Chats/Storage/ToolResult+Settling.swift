import Core

extension ToolResult {
  /// Returns the result of a call that has not ended, after the process that made it has ended.
  func settled() -> ToolResult {
    guard !hasEnded else { return self }
    var result = self
    result.isError = true
    result.error =
      consent == nil
      ? Failure(.toolFailed, "the call was not sent: its process ended before", kind: .notSent)
      : Failure(
        .toolFailed, "it is unknown whether the call was carried out: its process ended",
        kind: .unknownOutcome)
    return result
  }
}
