public import Core
import Display
import Foundation

extension Session {
  /// Writes the current records after every change in the data folder, and once a second.
  ///
  /// On a terminal, the records replace the previous ones. Elsewhere, only changed records are
  /// written.
  ///
  /// - Parameters:
  ///   - note: A function that returns a line to show above the records; nil shows none.
  ///   - records: A function that returns the current records.
  /// - Throws: `Interrupted` if the process is interrupted; otherwise any error that `records`
  ///   throws.
  public func watch(
    note: () -> String? = { nil }, _ records: () throws(Failure) -> [any StreamRecord]
  ) throws(Failure) {
    guard output.isNDJSON || !isOnTerminal else { return try watchOnTerminal(note, records) }
    try Directories.make(directories.data)
    let changes = try FileWatch(folder: directories.data, interruption: interruption)
    var written: Set<[UInt8]> = []
    while true {
      var lines: Set<[UInt8]> = []
      for record in try records() {
        let line = try record.line()
        lines.insert(line)
        if !written.contains(line) { try output.write(record) }
      }
      written = lines
      // This limits the rate to a few updates a second, however much changes.
      let isChanged = try changes.hasChanged(within: 1000)
      if isChanged { _ = try interruption.isReadable(-1, within: 250) }
    }
  }

  /// Returns `true` if the terminal can be redrawn.
  ///
  /// Otherwise, prints a message and shows the records once.
  ///
  /// - Throws: Any error that `records` throws.
  public func canWatch(
    _ records: () throws(Failure) -> [any StreamRecord]
  ) throws(Failure) -> Bool {
    if Palette.obeysSequences(environment) { return true }
    diagnostics.report(
      "cannot draw on a terminal with TERM=dumb: showing the current state once")
    try write(try records())
    return false
  }

  /// Shows the records as tables that fill the terminal.
  private func watchOnTerminal(
    _ note: () -> String?, _ records: () throws(Failure) -> [any StreamRecord]
  ) throws(Failure) {
    guard try canWatch(records) else { return }
    let screen = try WatchScreen(self)
    var pager = Pager()
    try screen.run { (text, size, keys) throws(Failure) in
      for key in keys where !pager.press(key) {
        if [.character("q"), .escape].contains(key) { return .end }
        if key == .control("z") { return .suspend }
      }
      if keys.isEmpty {
        let shown = try records()
        var body = shown.isEmpty ? "There is nothing to show." : try text.list(shown)
        if body.last == "\n" { body.removeLast() }
        // Headings stay on the screen only if all records form one table.
        let isTable = Set(shown.map { type(of: $0).type }).count == 1
        let above = note().map { [text.palette.painted(Cells.cut($0, to: size.columns), .warning)] }
        pager.update(
          (above ?? [])
            + body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
          headings: (above == nil ? 0 : 1) + (isTable ? 1 : 0))
      }
      return .show(pager.shown(size.rows, text))
    }
  }
}
