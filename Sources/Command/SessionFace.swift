import Core
import Display
import Foundation
import Synchronization
import Terminals

/// The text output of a tool for a person, to which records are added one by one.
final class SessionFace: Sendable {
  private let palette: Palette
  private let isTerminal: Bool
  private let home: String?
  private let output = RecordWriter()
  /// The views.
  ///
  /// Text is composed and written under the lock, so that changes never interleave.
  private let state: Mutex<Views>

  /// The views of the different kinds of record.
  private struct Views {
    var run: RunView
    var chat: ChatView
    /// The name of the machine whose records name none.
    var host = EventHost.own
    /// `true` if the last thing that was written is a row of a list.
    var endsInRow = false

    mutating func release() {
      run.release()
      chat.release()
    }
  }

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - palette: The styles of text.
  ///   - environment: The environment. Its `TERM` determines if the terminal can be redrawn.
  ///   - showsResults: `true` to show results; `false` to show only the progress.
  init(_ palette: Palette, environment: [String: String], showsResults: Bool) {
    self.palette = palette
    home = environment["HOME"]
    isTerminal = isatty(1) == 1
    let canMove = isTerminal && Palette.obeysSequences(environment)
    state = Mutex(
      Views(
        run: RunView(canMove: canMove, showsResults: showsResults),
        chat: ChatView(canMove: canMove)))
    guard canMove, isatty(2) == 1 else { return }
    // Messages on stderr appear below the drawn part and must not be overwritten.
    Diagnostics.shared.beforePrinting { [weak self] in
      self?.release()
      return LineStart.text(of: 2)
    }
  }

  /// `true` if the reader has closed the output.
  var readerIsGone: Bool { output.readerIsGone }

  private func text(_ views: Views) -> RecordText {
    var text = RecordText(width: isTerminal ? TerminalSize(of: 1)?.columns : nil, palette: palette)
    text.home = isTerminal ? home : nil
    text.host = views.host
    return text
  }

  private var rows: Int { TerminalSize(of: 1)?.rows ?? 24 }

  private func change(
    _ body: (inout Views, RecordText) throws(Failure) -> String
  ) throws(Failure) {
    try state.withLock { (view) throws(Failure) in
      let shown = try body(&view, text(view))
      if !shown.isEmpty { try output.write(text: shown) }
    }
  }

  private static func shown(
    _ record: any StreamRecord, _ views: inout Views, _ text: RecordText, rows: Int
  ) throws(Failure) -> String {
    defer { views.endsInRow = record is FileRecord }
    return switch record {
    case let delta as Delta where delta.stageId == nil:
      views.chat.show(delta, text, rows: rows)
    case let message as Message where views.chat.knows(message):
      views.chat.show(message, text, rows: rows)
    default:
      views.chat.standAside(text) + (views.endsInRow && record is Message ? "\n" : "")
        + (try views.run.show(record, text, rows: rows))
    }
  }

  /// Sets the name of the machine whose records name none.
  func set(host: String?) { state.withLock { $0.host = host } }

  /// Shows the given record, which this tool produced.
  func show(_ record: any StreamRecord) throws(Failure) {
    try change { (views, text) throws(Failure) in try Self.shown(record, &views, text, rows: rows) }
  }

  /// Shows the given complete list of records.
  func show(list records: [any StreamRecord]) throws(Failure) {
    try change { (views, text) throws(Failure) in
      views.release()
      views.endsInRow = !records.isEmpty
      return try text.list(records)
    }
  }

  /// Shows the given record of another tool, which this tool passes on.
  func show(passing record: RawRecord) throws(Failure) {
    // The tool that met the error has printed it, and the tool that opened the gate asks about it.
    if [ErrorRecord.type, ApprovalGate.type].contains(record.type) { return }
    try change { (views, text) throws(Failure) in
      guard let known = ShownRecord.decoded(record) else {
        return text.line(String(decoding: record.bytes, as: UTF8.self))
      }
      return try Self.shown(known, &views, text, rows: rows)
    }
  }

  /// Redraws the parts of the output that still change.
  func redraw() throws(Failure) {
    try change { (views, text) in views.run.redrawn(text, rows: rows) }
  }

  /// Shows the output that was held back until it could no longer change.
  func finish() throws(Failure) {
    try change { (views, text) in views.run.end(text) + views.chat.end() }
  }

  private func release() {
    // Concurrent answers are drawn again below; everything else stays in place.
    try? change { (views, text) throws(Failure) in
      views.run.release()
      return views.chat.standAside(text)
    }
  }
}
