/// An answer for the companion that reads it: its frames, and signs of life between them.
struct CompanionStream: Sendable {
  /// The pieces of the stream.
  enum Piece: Sendable, Hashable {
    /// A frame, as JSON.
    case frame(String)
    /// A silence of 15 seconds.
    case silence
    /// A request to the reader to check its state.
    case wake
  }

  /// The pieces, up to the end of the answer.
  let pieces: AsyncStream<Piece>
  private let continuation: AsyncStream<Piece>.Continuation
  private let quiet = TickCount()

  /// The number of ticks, one per second, that make a silence.
  static let silence = 15

  init() { (pieces, continuation) = AsyncStream.makeStream() }

  /// Sends a frame.
  func yield(_ json: String) {
    quiet.reset()
    continuation.yield(.frame(json))
  }

  /// Counts a tick of the hub.
  func tick() { if quiet.count(upTo: Self.silence) { continuation.yield(.silence) } }

  /// Wakes the reader to check its state.
  func wake() { continuation.yield(.wake) }

  /// Ends the stream; an answer that nobody reads goes on.
  func end() { continuation.finish() }
}
