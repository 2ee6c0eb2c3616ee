import Core

/// Bounds what one streamed answer may take, since its sender decides how long it goes on.
struct AnswerSize: Sendable {
  /// A record holds 16 MiB at most, and the deltas of real answers carry ten times their text.
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
  /// The model's name for a sentence: a peer chose it, so it may be anything.
  var shownModel: String { Visible.line(String(model.unicodeScalars.prefix(100))) }
}

extension Failure {
  /// What a stream without its end mark ends with.
  static func cutAnswer(_ source: String) -> Failure {
    Failure(.invalidResponse, "'\(source)' cut off its answer", kind: .cut)
  }
}
