import Core

/// A way in which messages reach people.
protocol PushChannel: Sendable {
  /// `true` if a later message on the same subject replaces an earlier one.
  var replacesMessages: Bool { get }

  /// Sends the given message once.
  ///
  /// - Throws: The failure of the attempt, which ``PushRetry`` may repeat; `Interrupted` if the task
  ///   is cancelled.
  func send(_ message: PushMessage) async throws(Failure)
}

extension PushChannel {
  /// `false`, because most peers keep every message.
  var replacesMessages: Bool { false }
}
