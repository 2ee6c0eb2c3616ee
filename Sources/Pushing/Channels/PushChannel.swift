import Core

/// A way in which messages reach people.
protocol PushChannel: Sendable {
  /// Sends the given message once.
  ///
  /// - Throws: The failure of the attempt, which ``PushRetry`` may repeat; `Interrupted` if the task
  ///   is cancelled.
  func send(_ message: PushMessage) async throws(Failure)
}
