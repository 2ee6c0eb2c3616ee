extension Tool {
  /// The arguments with the values filled in that an option may leave out: `--wait` is
  /// `--wait=forever`, which the parser cannot express.
  ///
  /// - Parameters:
  ///   - arguments: As they were given.
  ///   - defaults: The options, and the value of each where it has none.
  ///   - isValue: Whether what follows such an option is its value.
  /// - Returns: The arguments, each of these options with its value in one of them.
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

  /// The arguments with `--` before the first operand, so that the options behind it are a command's
  /// own, as with nice(1) and time(1).
  ///
  /// - Parameters:
  ///   - arguments: As they were given.
  ///   - valued: The options that have a value.
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
