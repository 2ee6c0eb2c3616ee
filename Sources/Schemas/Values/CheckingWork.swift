/// The amount of work that may still be spent on checking one value.
///
/// It is limited because even a short schema can require an excessive amount.
struct CheckingWork: Sendable {
  /// The maximum amount of work.
  ///
  /// It takes a few seconds at most.
  static let most = 20_000_000

  private var remaining: Int

  init(_ most: Int = CheckingWork.most) { remaining = most }

  /// Subtracts the given amount of work.
  ///
  /// - Throws: ``SchemaProblem`` if more work was spent than allowed.
  mutating func spend(_ amount: Int) throws(SchemaProblem) {
    remaining -= amount
    if remaining < 0 {
      throw SchemaProblem("", "$schema", "takes too much work to check against the schema")
    }
  }
}
