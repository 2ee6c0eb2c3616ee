import Core
import Foundation
import HTTPTypes
import HubWords
import HummingbirdCore
import Pages
import Requests
import Tokens
import Watching

/// The forms of the page, and the links that sign browsers in.
extension PageRoutes {
  var forms: [HubRoute] {
    [
      .post("/v1/page-links", for: .devices) { (request) async throws(Failure) in
        try await link(request)
      },
      page(.get, "/sign-in") { (request) async throws(Failure) in
        let code = request.query("code") ?? ""
        return PageAnswer.of(.signIn(code, try codes.find(code).scope))
      },
      page(.post, "/sign-in") { (request) async throws(Failure) in try await signIn(request) },
      form("/gates/{gateId}", .decide) { (request, fields, reader) async throws(Failure) in
        try await decide(request, fields, reader)
      },
      form("/agents/{agentId}", .steer) { (request, fields, _) async throws(Failure) in
        try await control(.agent, request, fields)
      },
      form("/swarms/{swarmId}", .steer) { (request, fields, _) async throws(Failure) in
        try await control(.swarm, request, fields)
      },
      .get(Self.path("/push.json"), for: .browsers(.read)) { (request) async throws(Failure) in
        guard let pushKey else {
          throw Failure(.notFound, "this hub has no key for notifications", status: 404)
        }
        let (viewer, devices) = (try viewer(of: request), devices)
        let isStored = try await desk.read { () throws(Failure) in
          try devices.hasPushToken(viewer.device.id)
        }
        return PageAnswer.guarded(
          try HubAnswer(PushKey(key: pushKey, token: viewer.formToken, isStored: isStored)))
      },
      form("/push", .read) { (request, fields, viewer) async throws(Failure) in
        try await subscribe(request, fields, viewer)
      },
      form("/device", .read) { (request, _, reader) async throws(Failure) in
        let (devices, id) = (devices, reader.device.id)
        _ = try await desk.write { () throws(Failure) in try devices.revoke(id) }
        var answer = PageAnswer.of(
          PageFrame.failure(BrowserCookie.missing, isSignedIn: false))
        answer.fields.append((.setCookie, cookie(of: request).field("")))
        return answer
      },
    ]
  }

  /// Returns a route for browsers that are not signed in.
  private func page(
    _ method: HTTPRequest.Method, _ path: String, _ handler: @escaping HubRoute.Handler
  ) -> HubRoute {
    HubRoute(method: method, path: Self.path(path), audience: .page, handler: handler) {
      PageAnswer.of($0, isSignedIn: false)
    }
  }

  /// Returns the route of a form for browsers that are signed in with at least the given scope.
  private func form(
    _ path: String, _ scope: DeviceScope,
    _ act:
      @escaping @Sendable (
        HubRequest, _ fields: [String: String], PageViewer
      ) async throws(Failure) -> HubAnswer
  ) -> HubRoute {
    var route = HubRoute.post(Self.path(path), for: .browsers(scope)) {
      (request) async throws(Failure) in
      do throws(Failure) {
        let reader = try viewer(of: request)
        let fields = try await request.form()
        guard
          AccessToken.areEqual(Array((fields["token"] ?? "").utf8), Array(reader.formToken.utf8))
        else {
          throw Failure(
            .permissionDenied, "the form is not of this page, or of an earlier sign-in",
            kind: .crossOrigin, status: 403, input: "token", nextStep: "reload the page")
        }
        return try await act(request, fields, reader)
      } catch {
        return PageAnswer.of(error, isSignedIn: true)
      }
    }
    route.failed = { PageAnswer.of($0, isSignedIn: $0.code == .permissionDenied) }
    return route
  }

  private func cookie(of request: HubRequest) -> BrowserCookie {
    door.cookie(of: Door.Head(request.request, request.ends))
  }

  // MARK: Access

  /// Creates a link that signs a browser in: `POST /v1/page-links`.
  ///
  /// - Throws: `PermissionDenied` if the sender's scope does not cover the requested one;
  ///   `BadInput` if the scope is not one of a browser, or the name is invalid.
  private func link(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let asked = try await request.object(PageLinkRequest.self)
    guard let visitor = request.visitor else { throw BrowserCookie.missing }
    let own = DeviceScope.browsers.last { visitor.scope.covers($0) }
    guard let own else {
      throw Failure(
        .permissionDenied,
        "the token of '\(Visible.line(visitor.name))' only allows \(visitor.scope.meaning)")
    }
    let scope = asked.scope ?? (own.covers(.decide) ? .decide : own)
    guard DeviceScope.browsers.contains(scope) else {
      let known = DeviceScope.browsers.map(\.rawValue).joined(separator: ", ")
      throw Failure(.badInput, "'scope' must be one of \(known)", input: "scope")
    }
    guard own.covers(scope) else {
      throw Failure(
        .permissionDenied,
        "'\(Visible.line(visitor.name))' may only sign in browsers of the scope '\(own.rawValue)'",
        input: "scope")
    }
    if let name = asked.name, DeviceDesk.cleanName(name) == nil {
      throw Failure(
        .badInput,
        "'name' must have 1 to \(DeviceDesk.longestName) characters, without control characters",
        input: "name")
    }
    let end = Timestamp.now.adding(seconds: PageCodes.lifetime)
    let code = codes.make(
      .init(scope: scope, name: asked.name, deviceId: visitor.deviceId, expiresAt: end))
    var pairing = Pairing(code: code, expiresAt: end, scope: scope, name: asked.name)
    let head = Door.Head(request.request, request.ends)
    pairing.url =
      door.rule.origin(head.hosts.first ?? "", isSecure: request.ends.isSecure)
      + HTMLAddress("sign-in", query: [("code", code)]).text
    return try HubAnswer(pairing, status: .created)
  }

  private func signIn(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let code = try await request.form()["code"] ?? ""
    let kind = try await door.tokenKind(for: Door.Head(request.request, request.ends))
    let grant = try codes.spend(code)
    let name = grant.name ?? BrowserName.of(request.request.headers[.userAgent] ?? "")
    let devices = devices
    let (_, token) = try await desk.write { () throws(Failure) in
      try devices.add(browser: name, grant.scope, kind, by: grant.deviceId)
    }
    var answer = PageAnswer.seeing(HTMLAddress())
    answer.fields.append((.setCookie, cookie(of: request).field(token)))
    return answer
  }

  // MARK: Notifications

  /// Stores the subscription of a browser, or removes it if the field is empty.
  private func subscribe(
    _ request: HubRequest, _ fields: [String: String], _ viewer: PageViewer
  ) async throws(Failure) -> HubAnswer {
    let text = fields["subscription"] ?? ""
    var stored: String?
    if !text.isEmpty {
      var subscription = try HubRequest.object(PushSubscription.self, in: Array(text.utf8))
      try subscription.check()
      let head = Door.Head(request.request, request.ends)
      subscription.origin = door.rule.origin(
        head.hosts.first ?? "", isSecure: request.ends.isSecure)
      subscription.sender = pushKey
      stored = try subscription.json()
    }
    let (devices, id, update) = (devices, viewer.device.id, PushTokenUpdate(pushToken: stored))
    try await desk.write { () throws(Failure) in
      try devices.setPushToken(update, of: id, isBrowser: true)
    }
    return PageAnswer.seeing(PageFrame.Section.device.address)
  }

  // MARK: Decisions

  /// Decides a gate, and returns its view; if another decision took effect, the view tells whose.
  private func decide(
    _ request: HubRequest, _ fields: [String: String], _ reader: PageViewer
  ) async throws(Failure) -> HubAnswer {
    let id = try request.part("gateId")
    var refusal: Failure?
    do throws(Failure) {
      guard let decision = fields["decision"].flatMap(Decision.init(rawValue:)) else {
        throw Failure(.badInput, "'decision' must be approve or reject", input: "decision")
      }
      let reason = fields["reason"].flatMap { $0.isEmpty ? nil : $0 }
      refusal = try await steering.decide(
        request, DecisionBody(decision: decision, reason: reason, requestId: fields["requestId"])
      ).failure
    } catch {
      refusal = error
    }
    return PageAnswer.of(
      try await gate(id, refusal: refusal, isOwn: refusal == nil, for: reader),
      status: refusal.map { HubAnswer($0).status } ?? .ok)
  }
}

/// The response to `GET /page/push.json`: what a browser needs to subscribe.
private struct PushKey: HubWord {
  /// The public key of the sender: 65 bytes in base64url.
  var key: String
  /// The token that the form with the subscription carries.
  var token: String
  /// `true` if the hub has a subscription of the browser.
  var isStored: Bool
}

/// The name of a browser, as its requests suggest.
enum BrowserName {
  /// Returns a name such as `Firefox on Android` for the given `User-Agent` field.
  static func of(_ agent: String) -> String {
    let browsers = [
      ("Edg", "Edge"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"),
    ]
    let systems = [
      ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Mac OS", "Mac"),
      ("Windows", "Windows"), ("Linux", "Linux"),
    ]
    let first = { (rows: [(mark: String, name: String)]) in
      rows.first { agent.contains($0.mark) }?.name
    }
    return (first(browsers) ?? "Browser") + (first(systems).map { " on \($0)" } ?? "")
  }
}
