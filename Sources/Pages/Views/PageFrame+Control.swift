public import Core

/// The view of a control and its outcome.
extension PageFrame {
  /// Returns the view of the given control, which a script reads again until the outcome is known.
  ///
  /// - Parameters:
  ///   - receipt: The receipt of the control.
  ///   - failure: The failure that explains why it had no effect; nil if it was applied.
  /// - Returns: The view.
  public static func control(_ receipt: ControlReceipt, failure: Failure?) -> PageFrame {
    let isOpen = receipt.outcome == .accepted
    let target = "\(receipt.target.rawValue) '\(receipt.id)'"
    return PageFrame(
      "Control", in: .overview, freshness: isOpen ? .outcome : nil,
      parts: [
        failure.map { isOpen ? status($0.explanation, isGood: false) : alert($0) }
          ?? status("\(target) was \(receipt.action.participle)", isGood: true),
        isOpen
          ? HTML([
            HTML(
              .p, [],
              HTML(
                text: "The control is stored. The outcome is shown here, and among the last events "
                  + "of the \(receipt.target.rawValue).")),
            HTML(.noscript, [], HTML(.p, [.class("faint")], "Reload this page to see it.")),
          ]) : HTML([]),
        .facts([
          ("action", receipt.action.rawValue), ("outcome", receipt.outcome.rawValue),
          ("by", receipt.actor), ("with device", receipt.deviceId), ("reason", receipt.reason),
          ("note", receipt.outcome == .refused ? nil : receipt.note),
          ("request", receipt.requestId),
        ]),
        receipt.target == .agent
          ? links(toAgent: receipt.id, swarm: nil) : links(swarm: receipt.id),
      ])
  }
}

extension ControlAction {
  /// The state of an agent after the action, as a participle.
  fileprivate var participle: String {
    switch self {
    case .pause: "paused"
    case .resume: "resumed"
    case .terminate: "terminated"
    }
  }
}
