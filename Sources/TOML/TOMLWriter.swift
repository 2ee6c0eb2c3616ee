/// Writes values as TOML 1.0.0 has them.
package enum TOMLWriter {
  /// A basic string, in quotes; also a key.
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

  /// An array of strings.
  package static func strings(_ texts: [String]) -> String {
    "[\(texts.map(string).joined(separator: ", "))]"
  }
}
