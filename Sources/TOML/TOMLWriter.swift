/// The writing of values as TOML 1.0.0.
package enum TOMLWriter {
  /// Returns the given text as a basic string in quotes.
  ///
  /// The result is also valid as a key.
  package static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns the given texts as an array of strings.
  package static func strings(_ texts: [String]) -> String {
    "[\(texts.map(string).joined(separator: ", "))]"
  }
}
