import Synchronization

/// The accepted forms of rejected values.
///
/// The parser's message does not list them.
enum ValueForms {
  private static let refused = Mutex<[String: String]>([:])

  /// Records the accepted forms of the given value, which has none of them.
  ///
  /// - Parameters:
  ///   - value: The value as the user gave it.
  ///   - forms: The accepted forms, as words that can follow “expected”.
  static func record(_ value: String, _ forms: String) {
    refused.withLock { $0[value] = forms }
  }

  /// Returns the parser's message about a rejected value with the accepted forms appended.
  static func added(to message: String) -> String {
    let forms = refused.withLock { refused in
      refused.first { message.hasPrefix("The value '\($0.key)' is invalid") }?.value
    }
    return forms.map { "\(message): expected \($0)" } ?? message
  }
}
