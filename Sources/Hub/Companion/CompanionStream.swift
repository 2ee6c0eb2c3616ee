/// The frames of an answer for one reader, and the passing of time between them.
struct CompanionStream: Sendable {
  /// What comes.
  enum Piece: Sendable {
    /// JSON, for a frame.
    case frame(String)
    /// A quarter of a minute passed, and no frame came.
    case silence
    /// A part of a second passed.
    case tick
  }

  /// What comes, to the end of the answer.
  let pieces: AsyncStream<Piece>
  private let continuation: AsyncStream<Piece>.Continuation
  private let frames: Task<Void, Never>
  private let clock: Task<Void, Never>

  /// So many ticks of half a second are silence.
  private static let silence = 30

  /// Reads the frames of an answer.
  init(_ answer: AsyncStream<String>) {
    let (stream, continuation) = AsyncStream.makeStream(of: Piece.self)
    pieces = stream
    self.continuation = continuation
    let quiet = TickCount()
    frames = Task {
      for await json in answer {
        quiet.reset()
        continuation.yield(.frame(json))
      }
      continuation.finish()
    }
    clock = Task {
      while (try? await Task.sleep(for: .milliseconds(500))) != nil {
        continuation.yield(quiet.count(upTo: Self.silence) ? .silence : .tick)
      }
    }
  }

  /// Has the reader look around now.
  func wake() { continuation.yield(.tick) }

  /// Reads no more; the answer goes on.
  func end() {
    frames.cancel()
    clock.cancel()
  }
}
