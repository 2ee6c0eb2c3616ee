/// The stream of an answer to a companion.
///
/// It consists of frames, and of signs of life between them.
struct CompanionStream: Sendable {
  /// The pieces of the stream.
  enum Piece: Sendable, Hashable {
    /// A frame of the answer, as JSON.
    case frame(String)
    /// A sign of life after 15 seconds without a frame.
    case silence
    /// A request that the reader check its state.
    case wake
  }

  /// The pieces of the stream, up to the end of the answer.
  let pieces: AsyncStream<Piece>
  private let continuation: AsyncStream<Piece>.Continuation
  private let quiet = TickCount()

  /// The number of ticks, one per second, after which a sign of life is sent.
  static let silence = 15

  init() { (pieces, continuation) = AsyncStream.makeStream() }

  /// Sends the given frame.
  func yield(_ json: String) {
    quiet.reset()
    continuation.yield(.frame(json))
  }

  /// Counts a tick.
  ///
  /// If no frame was sent for too long, sends a sign of life.
  func tick() { if quiet.count(upTo: Self.silence) { continuation.yield(.silence) } }

  /// Makes the reader check its state.
  func wake() { continuation.yield(.wake) }

  /// Ends the stream.
  func end() { continuation.finish() }
}
