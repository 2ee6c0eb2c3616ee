import Core
import Tmux

/// The output of one client in control mode, and the records that tell of it.
struct WatchedOutput {
  /// How an attaching ended.
  enum Ending {
    case exit
    /// tmux stopped the output of a pane, because it was not read in time.
    case paused
  }

  /// The most bytes of errors that are kept.
  private static let mostErrors = 1 << 16

  private let greeting: TerminalEventKind?
  private let write: (any StreamRecord) throws(Failure) -> Void
  private var parser = TmuxControlParser()
  private var text = PaneText()
  private var errors: [UInt8] = []
  private var isAttached = false
  /// The end, as soon as tmux has told it.
  private(set) var ending: Ending?

  /// Nothing has come yet.
  ///
  /// - Parameters:
  ///   - greeting: What is told as soon as it is attached.
  ///   - write: Takes the records.
  init(
    greeting: TerminalEventKind?, write: @escaping (any StreamRecord) throws(Failure) -> Void
  ) {
    self.greeting = greeting
    self.write = write
  }

  private var now: Int64 { Timestamp.now.milliseconds }

  /// Whether tmux has said anything.
  private(set) var hasBegun = false

  /// Keeps what was said as errors.
  mutating func add(errors bytes: ArraySlice<UInt8>) {
    guard errors.count < Self.mostErrors else { return }
    errors += bytes
  }

  /// Tells what has come.
  ///
  /// - Throws: What writing a record throws.
  mutating func read(_ bytes: [UInt8]) throws(Failure) {
    var events: [TmuxEvent] = []
    parser.read(bytes, at: now) { events.append($0) }
    hasBegun = hasBegun || !events.isEmpty
    for event in events {
      if case .reply(let reply) = event, reply.isError {
        errors += Array((reply.text + "\n").utf8)
      } else if case .event(let event) = event, event.event == .exit {
        ending = ending ?? .exit
      } else {
        if !isAttached, let greeting { try write(TerminalEvent(ts: now, event: greeting)) }
        isAttached = true
        if try tell(event) { ending = .paused }
      }
    }
  }

  /// Tells what is left when the client has ended.
  ///
  /// - Parameters:
  ///   - status: Its exit status, where that is known.
  ///   - target: The session.
  ///   - host: What the machine is called.
  /// - Returns: How it ended.
  /// - Throws: `TmuxSessionNotFound` and others for an attaching that did not begin;
  ///   `StreamInterrupted` for a client that ended without a word; what writing a record throws.
  mutating func end(
    status: Int32?, _ target: TmuxTarget, on host: String
  ) throws(Failure) -> Ending {
    for record in text.rest(at: now) { try write(record) }
    if let ending, isAttached { return ending }
    guard !isAttached, let status = status ?? (errors.isEmpty ? nil : 1) else {
      // tmux tells of each end that is one: a client that says nothing was killed, or its host is gone.
      throw SSHConnection.lost(
        "the program that follows the session on the host ended without a message")
    }
    // It ended before it began: why is in what it said.
    try TmuxAnswer(status: status, output: [], errors: errors).check(target, on: host)
    return .exit
  }

  /// Tells an event.
  ///
  /// - Returns: Whether tmux paused a pane.
  private mutating func tell(_ event: TmuxEvent) throws(Failure) -> Bool {
    switch event {
    case .reply: return false
    case .output(let output):
      if let record = text.record(output) { try write(record) }
      return false
    case .event(let event):
      if let pane = event.paneId, let rest = text.rest(of: pane, at: event.ts) { try write(rest) }
      try write(event)
      return event.event == .pause
    }
  }
}
