import Core
import Foundation

/// The words of a person in a text of Claude Code, without the elements that the program added.
struct ClaudePrompt {
  /// The elements that the program writes before the words of a person, or instead of them.
  private static let elements: Set = [
    "bash-input", "bash-stderr", "bash-stdout", "command-args", "command-contents",
    "command-message", "command-name", "local-command-caveat", "local-command-stderr",
    "local-command-stdout", "skill-format", "system-reminder", "task-notification",
    "user-memory-input",
  ]
  /// The elements with words of a person, which may themselves contain the element's end.
  private static let typed: Set = ["bash-input", "command-args", "user-memory-input"]
  private static let interruption = "[Request interrupted by user"

  /// The words; empty if a person typed none.
  private(set) var words: String
  /// The words, or the command of the program that a person chose without arguments.
  ///
  /// Such a command, as `/model`, is no prompt.
  private(set) var shown: String
  /// `true` if the text states that a person interrupted the work.
  private(set) var isInterruption = false

  /// Finds the words of a person in the given text.
  init(_ text: String) {
    var rest = text[...]
    var (parts, order): ([String], [String]) = ([], [])
    var command: [String: String] = [:]
    while let (name, content, end) = Self.element(in: rest) {
      switch name {
      case "bash-input": parts.append("!\(content)")
      case "user-memory-input": parts.append("#\(content)")
      default: command[name] = content
      }
      order.append(name)
      rest = rest[end...]
    }
    if rest.hasPrefix(Self.interruption), let end = rest.firstIndex(of: "]") {
      isInterruption = true
      rest = rest[rest.index(after: end)...]
    }
    // Without an element, the text is as it was typed.
    let left =
      rest.startIndex == text.startIndex
      ? text : rest.trimmingCharacters(in: .whitespacesAndNewlines)
    if !left.isEmpty { parts.append(left) }
    var isChoice = false
    if let name = command["command-name"] {
      let arguments = command["command-args"] ?? ""
      let line = (name.hasPrefix("/") ? name : "/\(name)")
      parts.insert(arguments.isEmpty ? line : "\(line) \(arguments)", at: 0)
      // Commands that become prompts begin with their message.
      isChoice = arguments.isEmpty && parts.count == 1 && order.first == "command-name"
    }
    shown = parts.joined(separator: "\n")
    words = isChoice ? "" : shown
  }

  /// Returns the element at the beginning of the given text; nil if the program wrote none there.
  private static func element(
    in text: Substring
  ) -> (name: String, content: String, end: String.Index)? {
    let body = text.drop(while: \.isWhitespace)
    guard body.first == "<", let end = body.prefix(40).firstIndex(of: ">") else { return nil }
    let name = String(body[body.index(after: body.startIndex)..<end])
    guard elements.contains(name) else { return nil }
    let inner = body[body.index(after: end)...]
    let options: String.CompareOptions = typed.contains(name) ? [.backwards, .literal] : .literal
    guard let close = inner.range(of: "</\(name)>", options: options) else { return nil }
    let content = inner[..<close.lowerBound].trimmingCharacters(in: .whitespacesAndNewlines)
    return (name, content, close.upperBound)
  }
}
