/// The cost of a run's calls.
///
/// It is needed if a run reports its total cost while some of its calls report none.
struct RunMoney: Codable, Sendable, Equatable {
  /// The cost that is already counted, in US dollars.
  var counted = 0.0
  /// The number of calls without a cost, by the ID of the usage document that counts them.
  var open: [String: Int] = [:]
  /// The model of the first call without a cost; nil if there is none.
  var model: String?
  /// The tool that made the first call without a cost; nil if unknown.
  var tool: String?
  /// `true` if the calls without a cost used several models.
  var hasSeveralModels = false

  /// The difference between two sums in US dollars that counts as none.
  static let noise = 1e-9

  /// Returns the given sum in US dollars without the noise of binary fractions.
  static func rounded(_ sum: Double) -> Double { (sum * 1e12).rounded() / 1e12 }

  /// `true` if the cost of some calls is unknown.
  var isOpen: Bool { open.values.contains { $0 > 0 } }

  /// The maximum number of usage documents in ``open``.
  private static let mostOpen = 50

  /// Adds a call that the given usage document counts; `cost` is nil if the call reports none.
  mutating func count(_ place: WatchedUsage, costUSD cost: Double?) {
    if let cost { return counted += cost }
    if model ?? "" == "" { (model, tool) = (place.model, place.tool) }
    if model != place.model, !place.model.isEmpty { hasSeveralModels = true }
    if open[place.id] != nil || open.count < Self.mostOpen { open[place.id, default: 0] += 1 }
  }
}
