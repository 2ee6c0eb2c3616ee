import ArgumentParser

extension Double {
  /// Returns the decimal number in the given option value, such as `2`, `0.5` or `1e-3`.
  ///
  /// `Double.init` is not used alone, because it also accepts `0x10`, `inf` and `nan`.
  ///
  /// - Throws: `ValidationError` if the value is not a decimal number.
  public static func decimal(_ argument: String) throws -> Double {
    guard let number = Double(decimal: argument) else {
      throw ValidationError("'\(argument)' is not a decimal number.")
    }
    return number
  }

  /// Creates a number from the given text; nil unless the text is a finite decimal number.
  init?(decimal text: String) {
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    self = number
  }
}
