import Core

extension ToolOffer {
  /// The longest name that all providers accept.
  private static let longestName = 64

  /// Returns the name under which a tool is offered to models: letters, digits, `_` and `-`.
  ///
  /// The name depends on nothing but the tool, so a continued chat names it as before. A name that
  /// had to be changed ends with a digest of the original, so no two tools have one name.
  ///
  /// - Parameters:
  ///   - tool: The tool's name at its source.
  ///   - source: The source, such as `mcp:repo`; nil for a tool that no source has.
  /// - Returns: The name.
  public static func name(of tool: String, from source: String?) -> String {
    let prefix =
      switch source {
      case nil, "tavily": ""
      case .some(let source): String(source.split(separator: ":", maxSplits: 1).last ?? "") + "__"
      }
    let wanted = prefix + tool
    var name = String(
      wanted.map { $0.isASCII && ($0.isLetter || $0.isNumber) || "_-".contains($0) ? $0 : "_" })
    guard
      name != wanted || name.utf8.count > longestName || name.isEmpty
        || isAmbiguous(wanted, tool, source)
    else { return name }
    let digest = SHA256Digest.hexadecimal(Array("\(source ?? "")/\(tool)".utf8)).prefix(10)
    name = String(name.prefix(longestName - 1 - digest.count))
    return "\(name)_\(digest)"
  }

  /// Returns `true` if a tool of another source may have the given name too.
  private static func isAmbiguous(_ name: String, _ tool: String, _ source: String?) -> Bool {
    guard let source else { return false }
    // The server of that name has the prefix of the source of that name.
    guard source != "tavily", source != "mcp:composio" else { return name.contains("__") }
    return name.ranges(of: "__").count != 1 || name.contains("___")
  }
}
