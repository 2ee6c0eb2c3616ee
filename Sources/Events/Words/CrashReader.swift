/// Finds the crashes in the lines of a stream: the line that names the error, and the trace around it.
///
/// Python names the error below its frames and Rust below its heading; Go, Java, Node and Swift name
/// it in the first line, which is an error by itself.
public struct CrashReader: Sendable {
  /// The part of a crash that a line is.
  public enum Part: Sendable, Hashable {
    /// No part: the line stands for itself.
    case none
    /// A heading, a frame or a hint.
    case trace
    /// The name of the error; of a later error of the same crash if it continues one.
    case name(continues: Bool)
  }

  private enum State {
    case outside
    /// Below a heading of Python, so far indented, until the name.
    case frames(indentation: Int, continues: Bool)
    /// Below a heading of Rust, until the name.
    case message
    /// Below the name; a further traceback continues the crash if an error without frames came before
    /// it, or a sentence says so.
    case named(isContinued: Bool)
  }

  private var state = State.outside

  /// Begins outside of a crash.
  public init() {}

  /// Takes the next line.
  ///
  /// - Parameters:
  ///   - line: The line, not blank and without escape sequences.
  ///   - isError: `true` if the line is an error by its own words.
  /// - Returns: The part of a crash that the line is.
  public mutating func part(of line: [UInt8], isError: Bool) -> Part {
    let text = line.drop(while: Self.isIndentation)
    var isFollowing = false
    if case .named(let isContinued) = state { isFollowing = isContinued }
    switch state {
    case .frames(let indentation, let continues) where !Self.isTraceback(text):
      guard text.startIndex <= indentation else { return .trace }
      state = .named(isContinued: false)
      return .name(continues: continues)
    case .message:
      state = .named(isContinued: false)
      return .name(continues: false)
    case .named where Self.isChain(text):
      state = .named(isContinued: true)
      return .trace
    case .named where Self.isTrace(line, text, isError: isError): return .trace
    default: break
    }
    if Self.isTraceback(text) {
      state = .frames(indentation: text.startIndex, continues: isFollowing)
      return .trace
    }
    if Self.isPanic(text), text.last == UInt8(ascii: ":") {
      state = .message
      return .trace
    }
    guard isError || Self.isPanic(text) else {
      state = .outside
      return .none
    }
    state = .named(isContinued: true)
    return .name(continues: false)
  }

  /// Returns the line of a text of several lines that names its error last; nil if it shows no crash.
  public static func name(in text: String) -> String? {
    var reader = CrashReader()
    var name: String?
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
      if case .name = reader.part(of: Array(line.utf8), isError: false) { name = String(line) }
    }
    return name
  }

  // MARK: Shapes

  /// Blanks, and the margin of Python's groups of exceptions.
  private static func isIndentation(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "+")
  }

  private static func isTraceback(_ text: ArraySlice<UInt8>) -> Bool {
    text.starts(with: "Traceback (most recent call last)".utf8)
      || text.starts(with: "Exception Group Traceback (most recent".utf8)
  }

  /// Rust's heading, which names the error itself in old versions.
  private static func isPanic(_ text: ArraySlice<UInt8>) -> Bool {
    text.starts(with: "thread '".utf8)
      && text.prefix(200).split(separator: 0x20).contains { $0.elementsEqual("panicked".utf8) }
  }

  private static func isChain(_ text: ArraySlice<UInt8>) -> Bool {
    text.starts(with: "During handling of the above exception".utf8)
      || text.starts(with: "The above exception was the direct cause".utf8)
  }

  private static let traces: [[UInt8]] = [
    "goroutine ", "created by ", "[signal ", "exit status ", "note: run with", "stack backtrace:",
    "Caused by: ", "Suppressed: ", "Node.js v", "*** ", "\u{1F4A3}", "Thread ", "Registers:",
    "Images (", "Backtrace took", "Current stack trace",
  ].map { Array($0.utf8) }

  /// Frames are indented, or hold addresses, or end with the arguments of a function.
  private static func isTrace(
    _ line: [UInt8], _ text: ArraySlice<UInt8>, isError: Bool
  ) -> Bool {
    if text.startIndex > 0 {
      let isMargin = line.prefix(text.startIndex).contains { $0 > 0x20 }
      return !isError || isMargin || text.starts(with: "panic: ".utf8)
    }
    if isError { return false }
    let isCall =
      line.last == UInt8(ascii: ")")
      && line.prefix { $0 != 0x20 }.contains(UInt8(ascii: "("))
    let words = line.prefix(300).split(separator: 0x20)
    let isNumbered = words.first?.allSatisfy { 0x30...0x39 ~= $0 } ?? false
    return isCall || isNumbered && words.contains { $0.elementsEqual("in".utf8) }
      || words.dropFirst().contains { $0.starts(with: "0x".utf8) }
      || traces.contains { text.starts(with: $0) }
  }
}
