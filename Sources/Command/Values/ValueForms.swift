import Synchronization

/// The accepted forms of rejected values, which the parser's message does not list.
enum ValueForms {
  private static let refused = Mutex<[String: String]>([:])

  /// Records that the given value has none of the accepted forms.
  ///
  /// - Parameters:
  ///   - value: The value as it was given.
  ///   - forms: The accepted forms, worded to follow “expected”.
  static func record(_ value: String, _ forms: String) {
    refused.withLock { $0[value] = forms }
  }

  /// Appends the forms to the parser's message about a rejected value.
  static func added(to message: String) -> String {
    let forms = refused.withLock { refused in
      refused.first { message.hasPrefix("The value '\($0.key)' is invalid") }?.value
    }
    return forms.map { "\(message): expected \($0)" } ?? message
  }
}
