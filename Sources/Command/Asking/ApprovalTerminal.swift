public import Core
import Display
import Foundation

/// A prompt at the terminal that asks a person to approve results, one at a time.
public final class ApprovalTerminal: Sendable {
  /// A person's answer to the question, or a decision made elsewhere.
  public enum Answer: Sendable {
    /// The person approved the result at the terminal.
    case approve
    /// The person rejected the result at the terminal, for the given reason.
    case reject(String)
    /// The given gate was decided elsewhere.
    case decided(ApprovalGate)
    /// The terminal was closed before the person answered.
    case closed
  }

  private let terminal: Descriptor
  private let interruption: Interruption
  private let palette: Palette
  /// The queue that asks the questions one at a time, because there is only one terminal.
  private let blocking = Blocking("approval", inOrder: true)

  /// Creates a prompt; nil if this process cannot read from a terminal without being stopped.
  ///
  /// It can if `/dev/tty` can be opened and this process is in the foreground group (tcgetpgrp(3)).
  public init?(_ session: Session) {
    terminal = Descriptor(open("/dev/tty", O_RDWR | O_CLOEXEC))
    interruption = session.interruption
    palette = session.palette
    guard terminal.isOpen, tcgetpgrp(terminal.number) == getpgrp() else { return nil }
  }

  /// Asks a person about the given result, while checking for a decision made elsewhere.
  ///
  /// - Parameters:
  ///   - gate: The gate to decide.
  ///   - artifact: The result that the gate is about.
  ///   - decided: A function that returns the gate if it was decided elsewhere; otherwise nil.
  /// - Returns: The person's answer or the decision made elsewhere, whichever comes first.
  /// - Throws: `Interrupted` if the process is interrupted; otherwise any error that `decided`
  ///   throws.
  public func prompt(
    _ gate: ApprovalGate, _ artifact: Artifact,
    decided: @escaping @Sendable () throws(Failure) -> ApprovalGate?
  ) async throws(Failure) -> Answer {
    try await blocking.run { () throws(Failure) in
      try self.question(gate, artifact, decided)
    }
  }

  private func question(
    _ gate: ApprovalGate, _ artifact: Artifact, _ decided: () throws(Failure) -> ApprovalGate?
  ) throws(Failure) -> Answer {
    show(opening(gate, artifact))
    while true {
      show("[a]pprove, [r]eject, [s]how? ")
      switch try line(decided) {
      case .decided(let gate):
        show("\ndecided elsewhere: \(gate.status.rawValue)\n")
        return .decided(gate)
      case .closed: return .closed
      case .text("a"), .text("approve"): return .approve
      case .text("s"), .text("show"):
        show("\n" + markdown.text(artifact.content) + "\n")
      case .text("r"), .text("reject"):
        if let answer = try rejection(decided) { return answer }
      case .text: break
      }
    }
  }

  /// Asks for the reason of a rejection until the reason is long enough.
  ///
  /// An empty line returns to the choices.
  private func rejection(
    _ decided: () throws(Failure) -> ApprovalGate?
  ) throws(Failure) -> Answer? {
    while true {
      show("Reason, at least 10 characters: ")
      switch try line(decided) {
      case .decided(let gate): return .decided(gate)
      case .closed: return .closed
      case .text(""): return nil
      case .text(let reason) where reason.isReason: return .reject(reason)
      case .text: show("The reason is too short.\n")
      }
    }
  }

  /// The number of lines of a result that are shown before the question.
  private static let firstLines = 12

  /// The Markdown renderer.
  private var markdown: MarkdownText { MarkdownText(width: columns, palette: palette) }

  private var columns: Int { TerminalSize(of: terminal.number)?.columns ?? 80 }

  /// Returns the text to print first: the beginning of the given result, followed by the question.
  private func opening(_ gate: ApprovalGate, _ artifact: Artifact) -> String {
    let text = RecordText(width: columns, palette: palette)
    let shown = text.beginning(
      of: artifact, lines: Self.firstLines, hint: ", [s] shows all")
    return "\n\(shown)\n\(palette.painted(Visible.line(gate.summary), .strong))\n"
  }

  private enum Line {
    case text(String)
    case decided(ApprovalGate)
    case closed
  }

  private func line(_ decided: () throws(Failure) -> ApprovalGate?) throws(Failure) -> Line {
    while true {
      if let gate = try decided() { return .decided(gate) }
      guard try interruption.isReadable(terminal.number, within: 250) else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      // In canonical mode, read(2) returns whole lines.
      let count = read(terminal.number, &bytes, bytes.count)
      guard count > 0 else { return .closed }
      return .text(
        String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(
          in: .whitespacesAndNewlines))
    }
  }

  private func show(_ text: String) {
    // A failed write needs no handling: the next read reports the closed terminal.
    _ = terminal.write(Array(text.utf8))
  }
}
