import Core

/// A limit on the size of a streamed answer, which its sender could continue forever.
struct AnswerSize: Sendable {
  /// A record is at most 16 MiB, and the deltas of real answers are up to ten times their text.
  static let maximumBytes = 128 << 20

  private var bytes = 0

  /// Counts an event's bytes.
  ///
  /// - Throws: `InvalidResponse` of kind `tooLarge`.
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
  /// The model's name for a message; a peer chose it, so it may contain anything.
  var shownModel: String { Visible.line(String(model.unicodeScalars.prefix(100))) }
}

extension Failure {
  /// Returns the failure of a stream without an end mark.
  static func cutAnswer(_ source: String) -> Failure {
    Failure(.invalidResponse, "'\(source)' cut its answer off", kind: .cut)
  }
}
