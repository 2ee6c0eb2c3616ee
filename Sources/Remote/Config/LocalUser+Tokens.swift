import Core

extension LocalUser {
  /// Expands `~`, `%` tokens and `${NAME}` in the given path (ssh_config(5), TOKENS).
  ///
  /// - Parameters:
  ///   - text: The path as written in the configuration.
  ///   - place: The line that contains the path.
  ///   - tokens: The values of further `%` tokens by letter. `%%`, `%d` and `%u` are always known.
  /// - Returns: The expanded path.
  /// - Throws: `BadConfiguration` if a token or variable is unknown, or if `~` names another user.
  func path(
    _ text: String, _ place: FilePlace, tokens: [Character: String] = [:]
  ) throws(Failure) -> String {
    var known = tokens
    known["d"] = home
    known["u"] = name
    let replaced = try Self.replaced(try variables(text, place), place, known)
    guard replaced.hasPrefix("~") else { return replaced }
    let rest = replaced.dropFirst()
    guard rest.isEmpty || rest.hasPrefix("/") else {
      throw SSHConfigReader.failure(place, "'\(Visible.text(text))' is in another user's home")
    }
    return home + rest
  }

  /// Expands the `%` tokens in the given text.
  ///
  /// - Throws: `BadConfiguration` if a token is not in `tokens`.
  static func replaced(
    _ text: String, _ place: FilePlace, _ tokens: [Character: String]
  ) throws(Failure) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        result.append(character)
        continue
      }
      let letter = rest.popFirst()
      guard let value = letter == "%" ? "%" : letter.flatMap({ tokens[$0] }) else {
        throw SSHConfigReader.failure(
          place, "'%\(Visible.text(letter.map(String.init) ?? ""))' cannot be expanded here")
      }
      result += value
    }
    return result
  }

  private func variables(_ text: String, _ place: FilePlace) throws(Failure) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstIndex(of: "}"), let value = environment[String(rest[..<end])] else {
        throw SSHConfigReader.failure(
          place, "'\(Visible.text(text))' names a variable that is not in the environment")
      }
      result += value
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
