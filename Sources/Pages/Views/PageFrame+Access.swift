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
          HTML(
            text: "Press the button to sign this browser in. You can then \(permissions(scope)). "
              + "The link is valid once.")),
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
          ("name", device.name), ("can", device.scope.map(permissions)),
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

  /// Returns the view of the given failure.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - isSignedIn: `true` if the browser is signed in, and can open other views.
  /// - Returns: The view.
  public static func failure(_ failure: Failure, isSignedIn: Bool) -> PageFrame {
    let isOut = [.authExpired, .pairingCodeInvalid].contains(failure.code)
    var failure = failure
    // For a browser that another link does not help, there is no next step.
    let hasSteps = isOut && failure.nextStep != nil
    if hasSteps { failure.nextStep = nil }
    return PageFrame(
      isOut ? "Not signed in" : "That did not work", in: isSignedIn ? .overview : nil,
      parts: [alert(failure), hasSteps ? signingIn : HTML([])])
  }

  /// The steps to sign a browser in.
  private static var signingIn: HTML {
    HTML([
      HTML(.h2, [], "To sign in"),
      HTML(
        .ol, [],
        HTML(
          .li, [], "In a terminal on the machine of this hub, type:",
          HTML(.pre, [], "pair page")),
        HTML(
          .li, [],
          HTML(
            text: "Open the link that it shows in this browser, or scan the code with a phone. "
              + "The link is valid once, for five minutes.")),
        HTML(.li, [], "Press “Sign in”.")),
    ])
  }

  private static func permissions(_ scope: DeviceScope) -> String {
    switch scope {
    case .read: "see what agents do"
    case .decide: "see what agents do, and approve or reject what they ask for"
    case .steer:
      "see what agents do, approve or reject what they ask for, and pause, resume or terminate them"
    case .all, .events, .hub, .companion: scope.rawValue
    }
  }
}
