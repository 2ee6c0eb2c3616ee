import Core
import Tmux

/// The output of one client in control mode, converted to records.
struct WatchedOutput {
  /// The way an attachment ended.
  enum Ending {
    case exit
    /// A pause: tmux stopped the output of a pane, because it was not read in time.
    case paused
  }

  /// The maximum number of bytes of errors that are stored.
  private static let mostErrors = 1 << 16

  private let greeting: TerminalEventKind?
  private let write: (any StreamRecord) throws(Failure) -> Void
  private var parser = TmuxControlParser()
  private var text = PaneText()
  private var errors: [UInt8] = []
  private var isAttached = false
  /// The end, once tmux has reported it.
  private(set) var ending: Ending?

  /// Creates the converter of a new client.
  ///
  /// - Parameters:
  ///   - greeting: The event that is written as soon as the client is attached.
  ///   - write: Writes a record.
  init(
    greeting: TerminalEventKind?, write: @escaping (any StreamRecord) throws(Failure) -> Void
  ) {
    self.greeting = greeting
    self.write = write
  }

  private var now: Int64 { Timestamp.now.milliseconds }

  /// `true` once tmux has sent anything.
  private(set) var hasBegun = false

  /// Stores error output.
  mutating func add(errors bytes: ArraySlice<UInt8>) {
    guard errors.count < Self.mostErrors else { return }
    errors += bytes
  }

  /// Converts received bytes to records.
  ///
  /// - Throws: The errors of `write`.
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

  /// Writes the remaining records after the client has ended.
  ///
  /// - Parameters:
  ///   - status: The exit status, if known.
  ///   - target: The session.
  ///   - host: The machine's name for messages.
  /// - Returns: The way the attachment ended.
  /// - Throws: `TmuxSessionNotFound` and others if the attachment did not begin;
  ///   `StreamInterrupted` for a client that ended silently; the errors of `write`.
  mutating func end(
    status: Int32?, _ target: TmuxTarget, on host: String
  ) throws(Failure) -> Ending {
    for record in text.rest(at: now) { try write(record) }
    if let ending, isAttached { return ending }
    guard !isAttached, let status = status ?? (errors.isEmpty ? nil : 1) else {
      // tmux reports every regular end: a client that ends silently was killed, or its host is
      // gone.
      throw SSHConnection.lost("what follows the session there has ended without a word")
    }
    // The attachment never began; the error output has the reason.
    try TmuxAnswer(status: status, output: [], errors: errors).check(target, on: host)
    return .exit
  }

  /// Writes the records of an event.
  ///
  /// - Returns: `true` if tmux paused a pane.
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
