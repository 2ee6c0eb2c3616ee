/// The remaining work for checking one value, since a short schema can require an excessive amount
/// of work.
struct CheckingWork: Sendable {
  /// The limit, equal to a few seconds at most.
  static let most = 20_000_000

  private var remaining: Int

  init(_ most: Int = CheckingWork.most) { remaining = most }

  /// Uses up work.
  ///
  /// - Throws: The problem that the limit is exceeded.
  mutating func spend(_ amount: Int) throws(SchemaProblem) {
    remaining -= amount
    if remaining < 0 {
      throw SchemaProblem("", "$schema", "takes too much work to check against the schema")
    }
  }
}
