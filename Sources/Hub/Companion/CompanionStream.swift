/// The stream of an answer to a companion: its frames, and signs of life between them.
struct CompanionStream: Sendable {
  /// The pieces of the stream.
  enum Piece: Sendable, Hashable {
    /// A frame, as JSON.
    case frame(String)
    /// A sign of life after 15 seconds without a frame.
    case silence
    /// A request to the reader to check its state.
    case wake
  }

  /// The pieces, up to the end of the answer.
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

  /// Counts a tick, and sends a sign of life if no frame was sent for too long.
  func tick() { if quiet.count(upTo: Self.silence) { continuation.yield(.silence) } }

  /// Wakes the reader to check its state.
  func wake() { continuation.yield(.wake) }

  /// Ends the stream.
  func end() { continuation.finish() }
}
