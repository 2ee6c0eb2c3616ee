import ArgumentParser

extension Double {
  /// Reads a decimal number from an option, such as `2`, `0.5` or `1e-3`.
  ///
  /// `Double.init` uses strtod(3), which also accepts `0x10`, `inf` and `nan`.
  ///
  /// - Throws: `ValidationError` if the argument is not a decimal number.
  public static func decimal(_ argument: String) throws -> Double {
    guard let number = Double(decimal: argument) else {
      throw ValidationError("'\(argument)' is not a decimal number.")
    }
    return number
  }

  /// Creates a number from a finite decimal; nil for any other text.
  init?(decimal text: String) {
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    self = number
  }
}
