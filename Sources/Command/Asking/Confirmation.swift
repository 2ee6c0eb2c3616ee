public import Core
import Foundation
import Processes

/// Has a person confirm what cannot be taken back.
public struct Confirmation {
  private let session: Session

  /// Asks on behalf of a session.
  public init(_ session: Session) { self.session = session }

  /// Asks for a word, at the terminal unless it was given, and runs `confirm_command`.
  ///
  /// - Parameters:
  ///   - word: What is to be typed.
  ///   - given: What was given for it on the command line.
  ///   - sentence: What is about to happen.
  ///   - inScripts: What is to be given on the command line, where that is another word.
  /// - Throws: `PermissionDenied` when it is not confirmed, `BadConfiguration`.
  public func ask(
    word: String, given: String?, _ sentence: String, inScripts: String? = nil
  ) throws(Failure) {
    let option = "--confirm \(inScripts ?? word)"
    if let given {
      guard given == word else {
        throw refusal("'--confirm' is not '\(word)'", nextStep: "use \(option)")
      }
    } else {
      guard try typed(word, sentence, option: option) == word else { throw notTyped(word) }
    }
    try runCommand()
  }

  /// Runs `confirm_command`, where one is configured.
  ///
  /// - Throws: `PermissionDenied` when it does not confirm, `BadConfiguration`.
  public func runCommand() throws(Failure) {
    guard let command = try session.configuration().confirmCommand else { return }
    let result = try ChildProcess.run(
      command, environment: .whole(session.environment), seconds: 120)
    guard result.status == 0 else {
      throw refusal(
        "'\(command.first ?? "")' ended with status \(result.status)",
        nextStep: "confirm it there, or change 'confirm_command'")
    }
  }

  /// `true` if there is a terminal to ask at.
  public var isPossible: Bool { Self.terminal().isOpen }

  /// Asks whether to go on, at the terminal.
  ///
  /// - Parameters:
  ///   - sentence: What is about to happen.
  ///   - word: What is to be typed.
  ///   - option: The option by which a script goes on; nil where none can.
  /// - Throws: `PermissionDenied` when it is not agreed to.
  public func agree(
    _ sentence: String, word: String = "yes", option: String?
  ) throws(Failure) {
    guard try typed(word, sentence, option: option) == word else { throw notTyped(word) }
  }

  private static func terminal() -> Descriptor { Descriptor(open("/dev/tty", O_RDWR | O_CLOEXEC)) }

  private func typed(
    _ word: String, _ sentence: String, option: String?
  ) throws(Failure) -> String? {
    let terminal = Self.terminal()
    guard terminal.isOpen else {
      let step = option.map { "use \($0)" }
      throw refusal(
        "cannot ask for confirmation without a terminal" + (step.map { ": \($0)" } ?? ""),
        nextStep: step ?? "run it at a terminal")
    }
    // What was typed before the question is no answer to it.
    tcflush(terminal.number, TCIFLUSH)
    let question = Array("\(Visible.line(sentence))\nType \(word) to continue: ".utf8)
    // A terminal that cannot be written to is noticed when it is read from.
    _ = terminal.write(question)
    _ = try session.interruption.isReadable(terminal.number)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(terminal.number, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func notTyped(_ word: String) -> Failure {
    refusal("not confirmed", nextStep: "run it again and type \(word)")
  }

  private func refusal(_ why: String, nextStep: String) -> Failure {
    Failure(.permissionDenied, why, kind: .notConfirmed, nextStep: nextStep)
  }
}

extension FailureKind {
  /// Nobody confirmed it.
  public static let notConfirmed = Self(rawValue: "notConfirmed")
}
