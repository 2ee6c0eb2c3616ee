/// The amount of work that is left for checking one value; a short schema can require an excessive
/// amount.
struct CheckingWork: Sendable {
  /// The maximum amount of work, which takes a few seconds at most.
  static let most = 20_000_000

  private var remaining: Int

  init(_ most: Int = CheckingWork.most) { remaining = most }

  /// Uses up the given amount of work.
  ///
  /// - Throws: ``SchemaProblem`` if the limit is exceeded.
  mutating func spend(_ amount: Int) throws(SchemaProblem) {
    remaining -= amount
    if remaining < 0 {
      throw SchemaProblem("", "$schema", "takes too much work to check against the schema")
    }
  }
}
