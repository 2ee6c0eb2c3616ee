public import Core
import Display

/// The views about the browser's own access, receipts and failures.
extension PageFrame {
  /// Returns the view with the button that signs a browser in.
  ///
  /// Programs that fetch links do not press it.
  ///
  /// - Parameters:
  ///   - code: The code of the link.
  ///   - scope: The permissions that the browser will have.
  /// - Returns: The view.
  public static func signIn(_ code: String, _ scope: DeviceScope) -> PageFrame {
    PageFrame(
      "Sign in", in: nil,
      parts: [
        HTML(
          .p, [],
          "This link signs this browser in. It may then \(permissions(scope)). The link is valid once."
        ),
        PageForm(
          address: HTMLAddress("sign-in"), hidden: [(.code, code)],
          parts: [PageForm.button("Sign in", "good")]
        ).html,
      ])
  }

  /// Returns the view of the browser that reads it.
  public static func device(for reader: PageViewer, at now: Timestamp) -> PageFrame {
    let device = reader.device
    return PageFrame(
      "Device", in: .device,
      parts: [
        .facts([
          ("name", device.name), ("may", device.scope.map(permissions)),
          ("signed in", Ago.text(device.createdAt, now: now)), ("id", device.id),
        ]),
        HTML(.h2, [], "Notifications"),
        HTML(
          .p, [HTMLAttribute(.id, "notify-state"), HTMLAttribute(.role, "status")]),
        HTML(.noscript, [], HTML(.p, [], "Notifications need scripts.")),
        HTML(
          .p, [],
          HTML(
            .button,
            [
              HTMLAttribute(.type, "button"), HTMLAttribute(.id, "notify"),
              HTMLAttribute(.hidden, ""), .class("plain"),
            ], "Notify me")),
        HTML(.h2, [], "Access"),
        PageForm(
          address: HTMLAddress("device"), hidden: [(.token, reader.formToken)],
          parts: [PageForm.button("Sign out", "bad")]
        ).html,
      ])
  }

  /// Returns the view of the given receipt of a control, with a link back to its target.
  public static func receipt(
    _ control: ControlReceipt, of kind: String, _ id: String
  ) -> PageFrame {
    PageFrame(
      "Control", in: .overview,
      parts: [
        .facts([
          ("action", control.action.rawValue), ("outcome", control.outcome.rawValue),
          ("by", control.actor), ("with device", control.deviceId), ("reason", control.reason),
          ("request", control.requestId),
        ]),
        HTML(.p, [], HTML(.a, [HTMLAttribute(.href, HTMLAddress(kind, id))], "Back")),
      ])
  }

  /// Returns the view of the given failure.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - isSignedIn: `true` if the browser is signed in, and can open other views.
  /// - Returns: The view.
  public static func failure(_ failure: Failure, isSignedIn: Bool) -> PageFrame {
    PageFrame(
      failure.code == .authExpired ? "Not signed in" : "That did not work",
      in: isSignedIn ? .overview : nil, parts: [alert(failure)])
  }

  private static func permissions(_ scope: DeviceScope) -> String {
    switch scope {
    case .read: "read the state of agents"
    case .decide: "read the state of agents, and decide gates"
    case .steer: "read the state of agents, decide gates, and control agents"
    case .all, .events, .hub, .companion: scope.rawValue
    }
  }
}
