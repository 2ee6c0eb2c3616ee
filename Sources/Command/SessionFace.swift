import Core
import Display
import Foundation
import Synchronization

/// What a person sees on stdout of a tool, one record after the other.
final class SessionFace: Sendable {
  private let palette: Palette
  private let isTerminal: Bool
  private let output = RecordWriter()
  /// Text is put together and written as one, so that no two changes of a view cross.
  private let state: Mutex<RunView>

  /// - Parameters:
  ///   - palette: How text stands out.
  ///   - environment: `TERM` tells whether the terminal can be drawn over.
  ///   - showsResults: Whether results are shown, not only how the work goes on.
  init(_ palette: Palette, environment: [String: String], showsResults: Bool) {
    self.palette = palette
    isTerminal = isatty(1) == 1
    let canMove = isTerminal && Palette.obeysSequences(environment)
    state = Mutex(RunView(canMove: canMove, showsResults: showsResults))
    guard canMove, isatty(2) == 1 else { return }
    // What is said on stderr stands below what is drawn, and is not drawn over.
    Diagnostics.shared.beforeSaying { [weak self] in self?.release() }
  }

  private var text: RecordText {
    RecordText(width: isTerminal ? TerminalSize(of: 1)?.columns : nil, palette: palette)
  }

  private var rows: Int { TerminalSize(of: 1)?.rows ?? 24 }

  private func change(
    _ body: (inout RunView, RecordText) throws(Failure) -> String
  ) throws(Failure) {
    try state.withLock { (view) throws(Failure) in
      let shown = try body(&view, text)
      if !shown.isEmpty { try output.write(text: shown) }
    }
  }

  /// Shows a record of the tool's own.
  func show(_ record: any StreamRecord) throws(Failure) {
    try change { (view, text) throws(Failure) in try view.show(record, text, rows: rows) }
  }

  /// Shows records that are all there is to tell.
  func show(list records: [any StreamRecord]) throws(Failure) {
    try change { (view, text) throws(Failure) in
      view.release()
      return try text.list(records)
    }
  }

  /// Shows a record that passes through.
  func show(passing record: RawRecord) throws(Failure) {
    // Who met it has told it on stderr; who opened it asks about it.
    if [ErrorRecord.type, ApprovalGate.type].contains(record.type) { return }
    try change { (view, text) throws(Failure) in
      guard let known = ShownRecord.decoded(record) else {
        return text.line(String(decoding: record.bytes, as: UTF8.self))
      }
      return try view.show(known, text, rows: rows)
    }
  }

  /// Draws again what runs.
  func redraw() throws(Failure) {
    try change { (view, text) in view.redrawn(text, rows: rows) }
  }

  /// Shows what was kept back.
  func finish() throws(Failure) {
    try change { (view, text) in view.end(text) }
  }

  private func release() { state.withLock { $0.release() } }
}
