public import Core

extension FedPlans {
  /// Reads records to their end.
  ///
  /// - Parameters:
  ///   - input: The records.
  ///   - passOn: Takes those that are of no concern here.
  ///   - fail: Is told what is wrong with a line.
  /// - Returns: The plans; nil when a line is bad, or there is none and no `error` tells why.
  /// - Throws: What reading and `passOn` throw.
  public static func read(
    _ input: inout RecordReader, passOn: (RawRecord) throws(Failure) -> Void,
    fail: (Failure) -> Void
  ) throws(Failure) -> FedPlans? {
    var plans = FedPlans()
    var isGood = true
    var hasError = false
    while let item = try input.next() {
      do throws(Failure) {
        switch item {
        case .bad(let failure): throw failure
        case .record(let record):
          hasError = hasError || record.type == ErrorRecord.type
          if try !plans.add(record) { try passOn(record) }
        }
      } catch {
        guard error.code == .badInput else { throw error }
        fail(error)
        isGood = false
      }
    }
    guard isGood, plans.pipelineIds.isEmpty else { return isGood ? plans : nil }
    if !hasError {
      fail(
        Failure(
          .badInput, "the input has no plan: no 'pipeline' or 'stage' record",
          input: "<stdin>"))
    }
    return nil
  }
}
