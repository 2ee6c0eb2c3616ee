public import Core
import Display

/// The views of gates.
extension PageFrame {
  /// Returns the view of all gates: those that wait, and those that were decided.
  public static func gates(
    pending: [ApprovalGate], decided: [ApprovalGate], at now: Timestamp
  ) -> PageFrame {
    PageFrame(
      "Gates", in: .gates, freshness: .view,
      parts: [gates(pending, at: now), HTML(.h2, [], "Decided"), gates(decided, at: now)])
  }

  /// Returns the view of the given gate, with the facts that its decision depends on.
  ///
  /// - Parameters:
  ///   - gate: The gate.
  ///   - decisions: The requests to decide it, the first one first.
  ///   - result: The result that it concerns; nil for none.
  ///   - refusal: The failure of the reader's own decision; nil if there was none.
  ///   - isOwn: `true` if the reader's own decision took effect just now.
  ///   - reader: The browser that the view is for.
  ///   - now: The current time.
  /// - Returns: The view.
  public static func gate(
    _ gate: ApprovalGate, decisions: [DecisionReceipt], result: Artifact?, refusal: Failure? = nil,
    isOwn: Bool = false, for reader: PageViewer, at now: Timestamp
  ) -> PageFrame {
    let context = gate.context
    let call = context?.impact.flatMap(CallArguments.init)
    let isOpen = gate.status == .pending && reader.may(.decide)
    let winner = decisions.last { $0.status == $0.decision.outcome && $0.status == gate.status }
    return PageFrame(
      "Gate", in: .gates, freshness: gate.status == .pending ? nil : .view,
      parts: [
        refusal.map(alert) ?? HTML([]),
        isOwn
          ? status("Your decision took effect: \(gate.status.rawValue).", isGood: true) : HTML([]),
        HTML(.p, [.class("lead")], HTML(text: gate.summary)),
        .facts([
          ("status", gate.status.rawValue), ("asked by", gate.requestedBy ?? gate.agentId),
          ("asked", Ago.text(gate.requestedAt, now: now)),
          ("ends", gate.status == .pending ? gate.expiresAt.map { Ago.text($0, now: now) } : nil),
          ("why", context?.why), ("impact", call?.question ?? context?.impact),
          ("risk", context?.risk),
          ("recommended", context?.recommendedAction),
          ("decided by", winner?.actor), ("with device", winner?.deviceId),
          ("reason", winner?.reason), ("id", gate.gateId),
        ]),
        call?.html ?? HTML([]),
        isOpen && result != nil
          ? HTML(.p, [], HTML(.a, [HTMLAttribute(.href, HTMLAddress(element: "decide"))], "Decide"))
          : HTML([]),
        result.map { artifact in
          HTML([HTML(.h2, [], HTML(text: artifact.title)), .markdown(artifact.content)])
        } ?? HTML([]),
        isOpen ? deciding(gate, for: reader) : HTML([]),
      ])
  }

  /// The forms that approve and reject the given gate.
  private static func deciding(_ gate: ApprovalGate, for reader: PageViewer) -> HTML {
    let forms = [
      (Decision.approve, "Reason (optional)", 0, "good"),
      (.reject, "Reason (at least 10 characters)", 10, "bad"),
    ].map { decision, label, least, look in
      let name = decision.rawValue
      return PageForm(
        address: HTMLAddress("gates", gate.gateId),
        hidden: [(.token, reader.formToken), (.requestId, Identifier.make())],
        parts: [
          PageForm.text(.reason, label, id: "reason-\(name)", least: least),
          PageForm.button(
            name.prefix(1).uppercased() + name.dropFirst(), look, sending: (.decision, name)),
        ]
      ).html
    }
    return HTML([
      HTML(.h2, [HTMLAttribute(.id, "decide")], "Decide"),
      HTML(.div, [.class("forms")], parts: forms),
    ])
  }

  /// Returns the given failure with its next step, which a screen reader announces.
  static func alert(_ failure: Failure) -> HTML {
    HTML(
      .p, [HTMLAttribute(.role, "alert"), .class("bad")],
      HTML(text: failure.sentence))
  }

  /// Returns the given sentence about the effect of a form, which a screen reader announces.
  static func status(_ text: String, isGood: Bool) -> HTML {
    HTML(
      .p, [HTMLAttribute(.role, "status"), .class(isGood ? "lead good" : "lead")],
      HTML(text: text))
  }
}
