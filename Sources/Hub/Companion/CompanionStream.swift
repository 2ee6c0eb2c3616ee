/// An answer for the companion that reads it: the frames, and signs of life while none comes.
struct CompanionStream: Sendable {
  /// What comes.
  enum Piece: Sendable, Hashable {
    /// JSON, for a frame.
    case frame(String)
    /// A quarter of a minute passed, and no frame came.
    case silence
    /// The reader is to look around.
    case wake
  }

  /// What comes, to the end of the answer.
  let pieces: AsyncStream<Piece>
  private let continuation: AsyncStream<Piece>.Continuation
  private let quiet = TickCount()

  /// So many ticks of the hub, which ticks once a second, are silence.
  static let silence = 15

  init() { (pieces, continuation) = AsyncStream.makeStream() }

  /// Hands on a frame.
  func yield(_ json: String) {
    quiet.reset()
    continuation.yield(.frame(json))
  }

  /// Counts a tick of the hub.
  func tick() { if quiet.count(upTo: Self.silence) { continuation.yield(.silence) } }

  /// Has the reader look around now.
  func wake() { continuation.yield(.wake) }

  /// Ends the stream; an answer that nobody reads goes on.
  func end() { continuation.finish() }
}
