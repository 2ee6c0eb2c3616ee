public import Core

/// Outcomes whose records nobody may read.
extension Session {
  /// Runs a function that writes the records of an outcome, and then throws the outcome's failure.
  ///
  /// If the records cannot be written, the failure is reported before the error of writing them is
  /// thrown.
  ///
  /// - Parameters:
  ///   - failure: The failure; nil if the outcome is a success.
  ///   - write: The function that writes the records.
  /// - Throws: The error of `write`; otherwise the failure.
  public func end(
    with failure: Failure?, writing write: () throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      try write()
    } catch {
      if let failure { fail(failure) }
      throw error
    }
    if let failure { throw failure }
  }

  /// Runs a function that writes records about work that continues if nobody reads them.
  ///
  /// - Throws: The error of `write`, unless the reader has closed the output.
  public func writeIfRead(_ write: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try write()
    } catch {
      guard error.isClosedOutput else { throw error }
    }
  }
}

extension Failure {
  /// `true` if the work ended because the reader of the output has closed it.
  var isClosedOutput: Bool { code == .interrupted && kind == .outputClosed }
}
