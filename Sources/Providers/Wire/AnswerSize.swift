import Core

/// The size of a streamed answer, which is limited because a server could send one without end.
struct AnswerSize: Sendable {
  /// The largest size of an answer.
  ///
  /// A record is at most 16 MiB, and the deltas of real answers are up to ten times as long as
  /// their text.
  static let maximumBytes = 128 << 20

  private var bytes = 0

  /// Adds the size of an event.
  ///
  /// - Throws: `InvalidResponse` of kind `tooLarge` if the answer exceeds the limit.
  mutating func add(_ count: Int, source: String) throws(Failure) {
    bytes += count
    guard bytes <= Self.maximumBytes else {
      throw Failure(
        .invalidResponse, "'\(source)' streamed more than \(Self.maximumBytes >> 20) MiB",
        kind: .tooLarge)
    }
  }
}

extension ModelAnswer {
  /// The model's name without invisible characters, for messages.
  ///
  /// The server chose this name.
  var shownModel: String { Visible.line(String(model.unicodeScalars.prefix(100))) }
}

extension Failure {
  /// Returns the failure that reports that the stream ended without its end mark.
  static func cutAnswer(_ source: String) -> Failure {
    Failure(.invalidResponse, "'\(source)' cut off its answer", kind: .cut)
  }
}
