import Core
import Tmux

/// A converter of one control mode client's output to records.
struct WatchedOutput {
  /// The way in which an attachment ended.
  enum Ending {
    case exit
    /// tmux paused a pane, because its output was not read in time.
    case paused
  }

  /// The maximum number of bytes of error output that are stored.
  private static let mostErrors = 1 << 16

  private let greeting: TerminalEventKind?
  private let write: (any StreamRecord) throws(Failure) -> Void
  private var parser = TmuxControlParser()
  private var text = PaneText()
  private var errors: [UInt8] = []
  private var isAttached = false
  /// The way in which the attachment ended; nil until tmux reports it.
  private(set) var ending: Ending?

  /// Creates a converter for a new client.
  ///
  /// - Parameters:
  ///   - greeting: The event to write when the client is attached.
  ///   - write: A closure that writes a record.
  init(
    greeting: TerminalEventKind?, write: @escaping (any StreamRecord) throws(Failure) -> Void
  ) {
    self.greeting = greeting
    self.write = write
  }

  private var now: Int64 { Timestamp.now.milliseconds }

  /// `true` after any output in control mode has arrived.
  private(set) var hasBegun = false

  /// Stores the given error output.
  mutating func add(errors bytes: ArraySlice<UInt8>) {
    guard errors.count < Self.mostErrors else { return }
    errors += bytes
  }

  /// Converts the given output to records and writes them.
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
        if try writeRecords(for: event) { ending = .paused }
      }
    }
  }

  /// Writes the remaining records after the client has exited.
  ///
  /// - Parameters:
  ///   - status: The client's exit status; nil if unknown.
  ///   - target: The session that the client followed.
  ///   - host: The host's name for messages.
  /// - Returns: The way in which the attachment ended.
  /// - Throws: `StreamInterrupted` if the client exited without a report from tmux; the errors of
  ///   ``TmuxAnswer/check(_:on:)`` if the client never attached; the errors of `write`.
  mutating func end(
    status: Int32?, _ target: TmuxTarget, on host: String
  ) throws(Failure) -> Ending {
    for record in text.rest(at: now) { try write(record) }
    if let ending, isAttached { return ending }
    guard !isAttached, let status = status ?? (errors.isEmpty ? nil : 1) else {
      // tmux reports every regular end. A client that exits silently was killed, or its host is
      // gone.
      throw SSHConnection.lost(
        "the program that follows the session on the host ended without a message")
    }
    // The client never attached; its error output has the reason.
    try TmuxAnswer(status: status, output: [], errors: errors).check(target, on: host)
    return .exit
  }

  /// Writes the records for the given event.
  ///
  /// - Returns: `true` if tmux paused a pane.
  private mutating func writeRecords(for event: TmuxEvent) throws(Failure) -> Bool {
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
