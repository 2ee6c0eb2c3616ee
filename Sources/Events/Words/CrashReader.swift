/// A detector of crashes in the lines of a stream.
///
/// It recognizes the line that names the error, and the lines of the stack trace. Python names the
/// error after the frames, and Rust names it after a heading. Go, Java, Node and Swift name it in
/// the first line. That line counts as an error even without a trace.
public struct CrashReader: Sendable {
  /// The role of a line in a crash.
  public enum Part: Sendable, Hashable {
    /// The line belongs to no crash.
    case none
    /// The line is a heading, a frame or a hint.
    case trace
    /// The line names an error.
    ///
    /// If `continues` is `true`, it belongs to the crash of an earlier error.
    case name(continues: Bool)
  }

  private enum State {
    case outside
    /// The state after Python's heading, until the error is named.
    ///
    /// The heading has the given indentation.
    case frames(indentation: Int, continues: Bool)
    /// The state after Rust's heading, until the error is named.
    case message
    /// The state after the error was named.
    ///
    /// A further traceback continues the same crash if the error had no frames, or if a line says
    /// so.
    case named(isContinued: Bool)
  }

  private var state = State.outside

  /// Creates a detector that has read no lines yet.
  public init() {}

  /// Processes the next line.
  ///
  /// - Parameters:
  ///   - line: The line, which is not blank and has no escape sequences.
  ///   - isError: `true` if the line's own words show that it is an error.
  /// - Returns: The role of the line in a crash.
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

  /// Returns the last line of the given text that names an error; nil if the text shows no crash.
  public static func name(in text: String) -> String? {
    var reader = CrashReader()
    var name: String?
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
      if case .name = reader.part(of: Array(line.utf8), isError: false) { name = String(line) }
    }
    return name
  }

  // MARK: Shapes

  /// Returns `true` if the given byte is a blank, or belongs to the margin of Python's exception
  /// groups.
  private static func isIndentation(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "+")
  }

  private static func isTraceback(_ text: ArraySlice<UInt8>) -> Bool {
    text.starts(with: "Traceback (most recent call last)".utf8)
      || text.starts(with: "Exception Group Traceback (most recent".utf8)
  }

  /// Returns `true` if the given text is Rust's heading.
  ///
  /// In old versions of Rust, it also names the error.
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

  /// Returns `true` if the given line is a frame.
  ///
  /// Frames are indented, contain an address, or end with arguments.
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
