import Core

/// The expansion of `${VAR}` and `${VAR:-default}` in files of other programs.
struct VariableExpansion {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// Returns the given text with its variables expanded once; values are not expanded again.
  ///
  /// - Throws: `BadConfiguration` if a variable is not set and has no default.
  func expanded(_ text: String) throws(Failure) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      result += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        return result + rest[start.lowerBound...]
      }
      let body = rest[start.upperBound..<end]
      result += try value(of: body)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private func value(of body: Substring) throws(Failure) -> String {
    let mark = body.firstRange(of: ":-")
    let name = String(body[..<(mark?.lowerBound ?? body.endIndex)])
    if let value = environment[name], mark == nil || !value.isEmpty { return value }
    guard let mark else {
      throw Failure(
        .badConfiguration, "the variable '\(Visible.line(String(name.prefix(80))))' is not set",
        input: name)
    }
    return String(body[mark.upperBound...])
  }

  /// Returns the given settings with all their texts expanded.
  ///
  /// - Throws: As ``expanded(_:)``.
  func expanded(_ settings: Settings.MCPSettings) throws(Failure) -> Settings.MCPSettings {
    var result = settings
    result.cwd = try settings.cwd.map { (text) throws(Failure) in try expanded(text) }
    result.url = try settings.url.map { (text) throws(Failure) in try expanded(text) }
    result.command = try settings.command?.map { (text) throws(Failure) in try expanded(text) }
    for (name, value) in settings.env ?? [:] { result.env?[name] = try expanded(value) }
    for (name, value) in settings.headers ?? [:] { result.headers?[name] = try expanded(value) }
    return result
  }
}
