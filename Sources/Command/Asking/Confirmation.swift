public import Core
import Foundation
import Processes
import Terminals

/// The confirmation of an irreversible action by a person.
public struct Confirmation {
  private let session: Session

  /// Creates a confirmation for the given session.
  public init(_ session: Session) { self.session = session }

  /// Requires that the given word was typed or given as an option, and then runs `confirm_command`.
  ///
  /// - Parameters:
  ///   - word: The word that the person must type.
  ///   - given: The word from the command line; nil to ask at the terminal.
  ///   - sentence: A sentence that describes the action.
  ///   - inScripts: The word that messages suggest for the command line; nil for `word`.
  /// - Throws: `PermissionDenied` if the action is not confirmed; `BadConfiguration` if the
  ///   configuration is invalid.
  public func request(
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

  /// Runs `confirm_command` if the configuration has one.
  ///
  /// - Throws: `PermissionDenied` if the command does not confirm the action; `BadConfiguration` if
  ///   the configuration is invalid.
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

  /// `true` if there is a terminal at which a person can confirm.
  public var isPossible: Bool { Self.terminal().isOpen }

  /// Asks a person at the terminal to agree to the given action.
  ///
  /// - Parameters:
  ///   - sentence: A sentence that describes the action.
  ///   - word: The word that the person must type to agree.
  ///   - option: The option that agrees in a script; nil if there is none.
  /// - Throws: `PermissionDenied` if the person does not agree.
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
      throw refusal(
        "cannot ask for confirmation without a terminal",
        nextStep: option.map { "use \($0)" } ?? "run it at a terminal")
    }
    // Input typed before the question must not answer it.
    tcflush(terminal.number, TCIFLUSH)
    let start = LineStart.text(of: terminal.number)
    let question = Array("\(start)\(Visible.line(sentence))\nType \(word) to continue: ".utf8)
    // A failed write needs no handling: the next read reports the closed terminal.
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
  /// The kind of a failure about an action that nobody confirmed.
  public static let notConfirmed = Self(rawValue: "notConfirmed")
}
