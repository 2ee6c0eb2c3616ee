import Core

/// A parser of tmux's control mode (tmux(1), CONTROL MODE).
///
/// The input may be split at any byte.
///
/// Pane output is decoded as it arrives, so that the buffers never exceed about 192 KiB. A reply
/// ends only at the line that repeats its time, number and flags. Every other line inside a reply
/// is text.
public struct TmuxControlParser: Sendable {
  /// The maximum number of bytes that are stored of one line, one reply or one output event.
  static let longest = 64 << 10

  /// The part of the stream that is being read.
  private enum Place: Sendable {
    /// A line whose kind is not known yet.
    case line
    /// The data of a pane's output.
    case data
  }

  private var place = Place.line
  /// The bytes of the current line so far.
  private var line: [UInt8] = []
  /// `true` if the current line is known not to be pane output.
  private var isPlain = false
  private var output = TmuxOutput(ts: 0, pane: "", bytes: [], lagMs: nil)
  /// The number and the value of the octal digits since a backslash; nil outside of an escape.
  private var escape: (count: Int, value: Int)?
  /// The current reply: the words that end it, its number, and its text so far.
  private var block: (guardWords: String, number: Int, text: [UInt8])?
  /// `true` after tmux itself has sent anything.
  ///
  /// A login shell may print text before.
  private var hasBegun = false
  private var hasEnded = false

  /// Creates a parser for the output of one client.
  public init() {}

  /// Parses the given bytes.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes of the stream.
  ///   - ts: The time of arrival, in milliseconds since 1970.
  ///   - report: A closure that receives each event.
  public mutating func read(_ bytes: [UInt8], at ts: Int64, _ report: (TmuxEvent) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var at = 0
      while at < bytes.count, !hasEnded {
        switch place {
        case .line: readLine(bytes, &at, ts: ts, report)
        case .data: readData(bytes, &at, ts: ts, report)
        }
      }
    }
  }

  /// Reports the pane output in a line that was cut off by the end of the stream.
  public mutating func finish(at ts: Int64, _ report: (TmuxEvent) -> Void) {
    guard place == .data, !hasEnded else { return }
    endEscape()
    flush(ts, report)
    hasEnded = true
  }

  /// Reads until the line or the head of pane output ends.
  private mutating func readLine(
    _ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int, ts: Int64, _ report: (TmuxEvent) -> Void
  ) {
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      guard byte != UInt8(ascii: "\n") else {
        endLine(ts, report)
        return
      }
      if line.count < Self.longest { line.append(byte) }
      guard byte == UInt8(ascii: " "), !isPlain, hasBegun, block == nil else { continue }
      switch TmuxControlLine.head(line) {
      case .other: isPlain = true
      case .unfinished: break
      case .output(let pane, let lagMs):
        output = TmuxOutput(ts: ts, pane: pane, bytes: [], lagMs: lagMs)
        line.removeAll(keepingCapacity: true)
        place = .data
        return
      }
    }
  }

  /// Reads the data of pane output and decodes `\ooo`.
  private mutating func readData(
    _ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int, ts: Int64, _ report: (TmuxEvent) -> Void
  ) {
    while at < bytes.count {
      let byte = bytes[at]
      if let begun = escape {
        if (0x30...0x37).contains(byte) {
          at += 1
          escape = (begun.count + 1, begun.value << 3 | Int(byte & 7))
          if begun.count == 2 { endEscape() }
          continue
        }
        endEscape()
      }
      switch byte {
      case UInt8(ascii: "\n"):
        at += 1
        flush(ts, report)
        place = .line
        return
      case UInt8(ascii: "\\"):
        at += 1
        escape = (0, 0)
      default:
        let start = at
        let end = min(bytes.count, at + Self.longest - output.bytes.count)
        while at < end, bytes[at] != UInt8(ascii: "\n"), bytes[at] != UInt8(ascii: "\\") { at += 1 }
        output.bytes += bytes[start..<at]
      }
      if output.bytes.count >= Self.longest { flush(ts, report) }
    }
  }

  /// Decodes the current escape.
  ///
  /// An escape in a form that tmux does not write is passed on unchanged.
  private mutating func endEscape() {
    guard let (count, value) = escape else { return }
    escape = nil
    if count == 3, let byte = UInt8(exactly: value) {
      output.bytes.append(byte)
    } else {
      let digits = (0..<count).reversed().map { UInt8(0x30 | value >> (3 * $0) & 7) }
      output.bytes += [UInt8(ascii: "\\")] + digits
    }
  }

  private mutating func flush(_ ts: Int64, _ report: (TmuxEvent) -> Void) {
    guard !output.bytes.isEmpty else { return }
    output.ts = ts
    report(.output(output))
    output.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func endLine(_ ts: Int64, _ report: (TmuxEvent) -> Void) {
    defer {
      line.removeAll(keepingCapacity: true)
      isPlain = false
    }
    if let block {
      continueBlock(block, report)
    } else if let begin = TmuxControlLine.begin(line, isFirst: !hasBegun) {
      hasBegun = true
      block = (begin.words, begin.number, [])
    } else if hasBegun, !line.isEmpty {
      let event = TmuxControlLine.event(String(decoding: line, as: UTF8.self), ts: ts)
      hasEnded = event.event == .exit
      report(.event(event))
    }
  }

  private mutating func continueBlock(
    _ open: (guardWords: String, number: Int, text: [UInt8]), _ report: (TmuxEvent) -> Void
  ) {
    for (word, isError) in [("%end ", false), ("%error ", true)]
    where line.elementsEqual((word + open.guardWords).utf8) {
      block = nil
      let text = String(decoding: open.text, as: UTF8.self)
      report(.reply(TmuxReply(number: open.number, isError: isError, text: text)))
      return
    }
    let room = Self.longest - open.text.count
    block?.text += (line + [UInt8(ascii: "\n")]).prefix(max(0, room))
  }
}
