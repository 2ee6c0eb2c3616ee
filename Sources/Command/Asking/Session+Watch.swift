public import Core
import Display
import Foundation

extension Session {
  /// Writes records again whenever something in the data folder changed, and once a second: on a
  /// terminal over what stood there, else those that are not what they were.
  ///
  /// - Parameters:
  ///   - note: A line to show above the records that `records` gave last; nil for none.
  ///   - records: What there is to write now.
  /// - Throws: What `records` throws, `Interrupted` at the end.
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
      // Much may change at once: it is looked at a few times a second at most.
      let isChanged = try changes.hasChanged(within: 1000)
      if isChanged { _ = try interruption.isReadable(-1, within: 250) }
    }
  }

  /// Whether the terminal can be drawn on; where not, says so and shows what there is once.
  ///
  /// - Throws: What `records` throws.
  public func canWatch(
    _ records: () throws(Failure) -> [any StreamRecord]
  ) throws(Failure) -> Bool {
    if Palette.obeysSequences(environment) { return true }
    diagnostics.say(
      "cannot draw on a terminal with TERM=dumb: showing the current state once")
    try write(try records())
    return false
  }

  /// Records as tables on a whole terminal.
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
        // One table keeps its headings on the screen.
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
