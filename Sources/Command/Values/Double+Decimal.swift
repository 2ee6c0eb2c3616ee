import ArgumentParser

extension Double {
  /// Reads a decimal number of an option, such as `2`, `0.5` or `1e-3`.
  ///
  /// strtod(3), which `Double.init` rests on, reads `0x10` as 16, and `inf` and `nan` too.
  ///
  /// - Throws: `ValidationError` for anything else.
  public static func decimal(_ argument: String) throws -> Double {
    guard let number = Double(decimal: argument) else {
      throw ValidationError("'\(argument)' is not a decimal number.")
    }
    return number
  }

  /// Reads a decimal number that is finite; nil for anything else.
  init?(decimal text: String) {
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    self = number
  }
}
