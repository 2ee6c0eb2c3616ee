public import Core
import Foundation

extension Session {
  /// Writes records again whenever something in the data folder changed, and once a second: on a
  /// terminal over what stood there, else those that are not what they were.
  ///
  /// - Parameter records: What there is to write now.
  /// - Throws: What `records` throws, `Interrupted` at the end.
  public func watch(_ records: () throws(Failure) -> [any StreamRecord]) throws(Failure) {
    try Directories.make(directories.data)
    let changes = try FileWatch(folder: directories.data, interruption: interruption)
    var written: Set<[UInt8]> = []
    while true {
      let now = try records()
      if output.isNDJSON {
        var lines: Set<[UInt8]> = []
        for record in now {
          let line = try record.line()
          lines.insert(line)
          if !written.contains(line) { try output.write(lines: line + [0x0A]) }
        }
        written = lines
      } else {
        try redraw(now)
      }
      // Much may change at once: it is looked at a few times a second at most.
      let isChanged = try changes.hasChanged(within: 1000)
      if isChanged { _ = try interruption.isReadable(-1, within: 250) }
    }
  }

  /// Draws over the whole terminal with one write; what has no room is left out.
  private func redraw(_ records: [any StreamRecord]) throws(Failure) {
    var size = winsize()
    let isKnown = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 1 && size.ws_col > 0
    let (rows, columns) = isKnown ? (Int(size.ws_row) - 1, Int(size.ws_col)) : (24, 80)
    var text = "\u{1B}[H"
    var lines: [Substring] = []
    for record in records {
      let rendered = try TextRendering.text(record) ?? ""
      lines += rendered.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
    for line in lines.prefix(rows) { text += line.prefix(columns) + "\u{1B}[K\n" }
    try output.write(text: text + "\u{1B}[J")
  }
}
