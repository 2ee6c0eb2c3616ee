import Core
import Display
import Foundation
import Synchronization

/// What a person sees on stdout of a tool, one record after the other.
final class SessionFace: Sendable {
  private let palette: Palette
  private let isTerminal: Bool
  private let home: String?
  private let output = RecordWriter()
  /// Text is put together and written as one, so that no two changes of a view cross.
  private let state: Mutex<Views>

  /// What is drawn, by what it is of.
  private struct Views {
    var run: RunView
    var chat: ChatView
    /// Whether a row stands above what comes next.
    var endsInRow = false

    mutating func release() {
      run.release()
      chat.release()
    }
  }

  /// - Parameters:
  ///   - palette: How text stands out.
  ///   - environment: `TERM` tells whether the terminal can be drawn over.
  ///   - showsResults: Whether results are shown, not only how the work goes on.
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
    // What is said on stderr stands below what is drawn, and is not drawn over.
    Diagnostics.shared.beforeSaying { [weak self] in self?.release() }
  }

  private var text: RecordText {
    var text = RecordText(width: isTerminal ? TerminalSize(of: 1)?.columns : nil, palette: palette)
    text.home = isTerminal ? home : nil
    return text
  }

  private var rows: Int { TerminalSize(of: 1)?.rows ?? 24 }

  private func change(
    _ body: (inout Views, RecordText) throws(Failure) -> String
  ) throws(Failure) {
    try state.withLock { (view) throws(Failure) in
      let shown = try body(&view, text)
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

  /// Shows a record of the tool's own.
  func show(_ record: any StreamRecord) throws(Failure) {
    try change { (views, text) throws(Failure) in try Self.shown(record, &views, text, rows: rows) }
  }

  /// Shows records that are all there is to tell.
  func show(list records: [any StreamRecord]) throws(Failure) {
    try change { (views, text) throws(Failure) in
      views.release()
      views.endsInRow = !records.isEmpty
      return try text.list(records)
    }
  }

  /// Shows a record that passes through.
  func show(passing record: RawRecord) throws(Failure) {
    // Who met it has told it on stderr; who opened it asks about it.
    if [ErrorRecord.type, ApprovalGate.type].contains(record.type) { return }
    try change { (views, text) throws(Failure) in
      guard let known = ShownRecord.decoded(record) else {
        return text.line(String(decoding: record.bytes, as: UTF8.self))
      }
      return try Self.shown(known, &views, text, rows: rows)
    }
  }

  /// Draws again what runs.
  func redraw() throws(Failure) {
    try change { (views, text) in views.run.redrawn(text, rows: rows) }
  }

  /// Shows what was kept back.
  func finish() throws(Failure) {
    try change { (views, text) in views.run.end(text) + views.chat.end() }
  }

  private func release() {
    // Answers side by side are drawn again below; what else is drawn stays.
    try? change { (views, text) throws(Failure) in
      views.run.release()
      return views.chat.standAside(text)
    }
  }
}
