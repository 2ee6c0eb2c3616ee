public import Core

extension FedPlans {
  /// Reads records until the input ends.
  ///
  /// - Parameters:
  ///   - input: The records.
  ///   - passOn: Receives the records of other types.
  ///   - fail: Receives the failure of each bad line. It also receives a failure if the input has
  ///     neither a plan nor an `error` record.
  /// - Returns: The plans; nil if a line is bad or if there is no plan.
  /// - Throws: The errors of reading and of `passOn`.
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
