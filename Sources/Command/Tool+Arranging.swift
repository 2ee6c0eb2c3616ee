extension Tool {
  /// Returns the arguments with omitted option values added, because the parser cannot do so.
  ///
  /// For example, `--wait` becomes `--wait=forever`.
  ///
  /// - Parameters:
  ///   - arguments: The arguments as the user gave them.
  ///   - defaults: The options whose value may be omitted, and the default value of each.
  ///   - isValue: A function that returns `true` if the given argument is the value of the option
  ///     before it.
  /// - Returns: The arguments, in which each of these options is joined with its value.
  public static func filled(
    _ arguments: [String], _ defaults: [String: String], isValue: (String) -> Bool
  ) -> [String] {
    var rest = arguments[...]
    var result: [String] = []
    while let argument = rest.popFirst() {
      guard argument != "--" else { return result + [argument] + rest }
      guard let value = defaults[argument] else {
        result.append(argument)
        continue
      }
      let follows = rest.first.map(isValue) ?? false
      result.append("\(argument)=\(follows ? rest.removeFirst() : value)")
    }
    return result
  }

  /// Returns the arguments with `--` inserted before the first operand.
  ///
  /// Options after the operand then belong to the command that it names, as in nice(1) and time(1).
  ///
  /// - Parameters:
  ///   - arguments: The arguments as the user gave them.
  ///   - valued: The options that take a value.
  /// - Returns: The arguments.
  public static func commandApart(_ arguments: [String], valued: Set<String>) -> [String] {
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index].hasPrefix("-"), arguments[index] != "-" {
      guard arguments[index] != "--" else { return arguments }
      index += valued.contains(arguments[index]) ? 2 : 1
    }
    guard index < arguments.endIndex else { return arguments }
    return arguments[..<index] + ["--"] + arguments[index...]
  }
}
