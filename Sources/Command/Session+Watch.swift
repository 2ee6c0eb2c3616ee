public import Core
import Display
import Foundation

extension Session {
  /// Writes records again whenever something in the data folder changed, and once a second: on a
  /// terminal over what stood there, else those that are not what they were.
  ///
  /// - Parameter records: What there is to write now.
  /// - Throws: What `records` throws, `Interrupted` at the end.
  public func watch(_ records: () throws(Failure) -> [any StreamRecord]) throws(Failure) {
    guard output.isNDJSON else { return try watchOnTerminal(records) }
    try Directories.make(directories.data)
    let changes = try FileWatch(folder: directories.data, interruption: interruption)
    var written: Set<[UInt8]> = []
    while true {
      var lines: Set<[UInt8]> = []
      for record in try records() {
        let line = try record.line()
        lines.insert(line)
        if !written.contains(line) { try output.write(lines: line + [0x0A]) }
      }
      written = lines
      // Much may change at once: it is looked at a few times a second at most.
      let isChanged = try changes.hasChanged(within: 1000)
      if isChanged { _ = try interruption.isReadable(-1, within: 250) }
    }
  }

  /// Records as tables on a whole terminal.
  private func watchOnTerminal(
    _ records: () throws(Failure) -> [any StreamRecord]
  ) throws(Failure) {
    let screen = try WatchScreen(self)
    try screen.run { (text, size, keys) throws(Failure) in
      if keys.contains(where: { [.character("q"), .escape].contains($0) }) { return .end }
      if keys.contains(.control("z")) { return .suspend }
      let shown = try records()
      let body = shown.isEmpty ? "There is nothing to show." : try text.list(shown)
      return .show(
        Array(
          body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .prefix(size.rows)))
    }
  }
}
