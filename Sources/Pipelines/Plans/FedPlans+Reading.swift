public import Core

extension FedPlans {
  /// Reads records to their end.
  ///
  /// - Parameters:
  ///   - input: The records.
  ///   - passOn: Takes those that are of no concern here.
  ///   - fail: Is told what is wrong with a line.
  /// - Returns: The plans; nil when a line is bad.
  /// - Throws: What reading and `passOn` throw.
  public static func read(
    _ input: inout RecordReader, passOn: (RawRecord) throws(Failure) -> Void,
    fail: (Failure) -> Void
  ) throws(Failure) -> FedPlans? {
    var plans = FedPlans()
    var isGood = true
    while let item = try input.next() {
      do throws(Failure) {
        switch item {
        case .bad(let failure): throw failure
        case .record(let record): if try !plans.add(record) { try passOn(record) }
        }
      } catch {
        guard error.code == .badInput else { throw error }
        fail(error)
        isGood = false
      }
    }
    return isGood ? plans : nil
  }
}
