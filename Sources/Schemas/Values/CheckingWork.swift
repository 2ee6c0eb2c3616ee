/// How much may still be done for one value: a schema of a few lines can ask for more than anybody
/// can wait for.
struct CheckingWork: Sendable {
  /// Some seconds at most.
  static let most = 20_000_000

  private var left: Int

  init(_ most: Int = CheckingWork.most) { left = most }

  /// - Throws: that it was too much.
  mutating func take(_ amount: Int) throws(SchemaProblem) {
    left -= amount
    if left < 0 {
      throw SchemaProblem("", "$schema", "takes too much work to check against the schema")
    }
  }
}
