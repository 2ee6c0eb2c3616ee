import Core
import NIOCore
import Storage
import Tokens

/// The access check of a hub.
///
/// It identifies the sender of each request, or refuses the request.
///
/// Look-ups run on the threads for reading, over a connection that does not wait for changes. Only
/// nonces and the times at which companions were seen are written.
struct Door: Sendable {
  /// The senders whose requests a route answers.
  enum Audience: Sendable, Hashable {
    /// All senders.
    case everybody
    /// Senders on this machine, and senders on other machines that have a token.
    case machine
    /// Devices that have a token of any scope.
    case devices
    /// Devices that have a token of a scope that may send events.
    case senders
    /// Devices that have a token of a scope that covers the given one.
    case people(DeviceScope)
    /// Browsers, also those that are not signed in.
    case page
    /// Browsers that are signed in with a scope that covers the given one.
    case browsers(DeviceScope)

    /// Devices that have a token of the scope `all`.
    static let operators = people(.all)

    /// `true` if browsers show the answer as a page, or as a part of one.
    var isOfPage: Bool {
      switch self {
      case .page, .browsers: true
      case .everybody, .machine, .devices, .senders, .people: false
      }
    }

    /// Returns `true` if devices with the given scope belong to the audience.
    func includes(_ scope: DeviceScope) -> Bool {
      switch self {
      case .everybody, .devices, .page: true
      case .machine: scope == .all
      case .senders: scope.sendsEvents
      case .people(let needed), .browsers(let needed): scope.covers(needed)
      }
    }
  }

  /// The header fields that identify the sender of a request and the host it names.
  struct Head: Sendable {
    var hosts: [String]
    var origins: [String]
    var fetchSites: [String]
    var authorization: String?
    /// The `Cookie` fields.
    var cookies: [String] = []
    /// `true` if the request opens a document, as a link or a typed address does.
    var opensDocument = false
    /// `true` if the request may change something.
    var isForm = false
    var ends: Credential.Ends
  }

  let rule: AccessRule
  let mode: CompanionAuth
  let threads: HubThreads
  /// The store of this machine, with companions, their nonces and browsers.
  let store: Store
  /// A second connection to the same store, which is used for reading.
  let reading: Store
  private let devices: DeviceDesk
  private let ownerDigest: [UInt8]

  /// Creates the access check of a hub.
  ///
  /// If the owner's token does not exist, it is created.
  ///
  /// - Parameters:
  ///   - rule: The rule for hosts and origins.
  ///   - mode: The method by which companions authenticate.
  ///   - threads: The threads for files.
  ///   - store: The store of this machine.
  ///   - reading: A second connection to it.
  ///   - devices: The registered devices, which hubs may share, and the browsers.
  ///   - directories: The directories of the owner's token.
  /// - Throws: `PermissionDenied` if others may read the token's file; `StorageFailed` if the token
  ///   cannot be written.
  init(
    _ rule: AccessRule, _ mode: CompanionAuth, _ threads: HubThreads, store: Store, reading: Store,
    devices: DeviceDesk, ownerIn directories: Directories
  ) throws(Failure) {
    (self.rule, self.mode, self.threads) = (rule, mode, threads)
    (self.store, self.reading, self.devices) = (store, reading, devices)
    ownerDigest = AccessToken.digest(try OwnerToken.made(in: directories))
  }

  /// Checks the given head of a request before the body is read.
  ///
  /// - Returns: The visitor; nil if the sender needs no credentials for this audience.
  /// - Throws: As `AccessRule.judge` and `visitor(by:)`; `PermissionDenied` if the token's scope
  ///   does not cover the audience.
  func visitor(_ head: Head, for audience: Audience) async throws(Failure) -> Visitor? {
    try rule.judge(
      hosts: head.hosts, origins: head.origins, fetchSites: head.fetchSites,
      admitsLink: audience.isOfPage && head.opensDocument)
    if audience.isOfPage, head.isForm {
      try rule.judgeForm(origins: head.origins, fetchSites: head.fetchSites)
    }
    let isLocal = head.ends.peer?.isLoopback ?? false
    let credential: Credential
    switch audience {
    case .everybody, .page: return nil
    case .machine where isLocal && head.authorization == nil: return nil
    case .machine, .devices, .senders, .people:
      credential = .bearer(head.authorization, isLocal: isLocal)
    case .browsers:
      let cookie = cookie(of: head)
      credential = .cookie(
        cookie.values(in: head.cookies), isSecure: cookie.isSecure, head.ends)
    }
    let visitor = try await visitor(by: credential)
    if let visitor, !audience.includes(visitor.scope) {
      throw Failure(
        .permissionDenied,
        "the token of '\(Visible.line(visitor.name))' only allows \(visitor.scope.meaning)")
    }
    return visitor
  }

  /// Returns the cookie in which a browser stores its access.
  func cookie(of head: Head) -> BrowserCookie {
    BrowserCookie(
      isSecure: head.ends.isSecure || head.hosts.first.map(rule.isSecure) ?? false,
      port: head.ends.local?.port)
  }

  /// Returns the owner or the companion that the given credentials identify.
  ///
  /// The first credential that identifies the owner or a companion decides. If an address is
  /// refused, the next credential is still tried. A registered device's token never identifies a
  /// companion, whatever its scope.
  ///
  /// - Parameters:
  ///   - credentials: The credentials of the request, in the order of precedence.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The visitor; nil if the sender is neither.
  /// - Throws: As `visitor(by:)` for a single credential.
  func visitor(
    by credentials: [Credential], at now: Timestamp? = nil
  ) async throws(Failure) -> Visitor? {
    var refusal: Failure?
    for credential in credentials {
      do throws(Failure) {
        let visitor = try await visitor(by: credential, at: now)
        if case .bearer = credential, visitor != .owner { continue }
        if let visitor { return visitor }
      } catch {
        guard case .address = credential else { throw error }
        refusal = error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// Returns the visitor that the given credential identifies.
  ///
  /// - Parameters:
  ///   - credential: The credential.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The visitor; nil if the address or process is unknown.
  /// - Throws: `AuthExpired` if the token is missing, unknown or expired; `AuthExpired` with a
  ///   `kind` if the signature is invalid or a required signature is missing; `DeviceRevoked` if
  ///   the device is revoked; `ClockSkew` if the signature's time differs too much from the hub's;
  ///   `PermissionDenied` if the owner's token comes from another machine; `Overloaded` if too many
  ///   requests wait; `StorageFailed` if the store cannot be read.
  func visitor(
    by credential: Credential, at now: Timestamp? = nil
  ) async throws(Failure) -> Visitor? {
    // Hubs share registered devices, and then the clock of their database.
    if case .bearer(let field, let isLocal) = credential {
      return try await bearer(field, isLocal: isLocal, at: now)
    }
    let now = now ?? store.now
    switch credential {
    case .bearer: return nil
    case .cookie(let tokens, let isSecure, let ends):
      return try await browser(tokens, isSecure: isSecure, ends, at: now)
    case .signature(let message, let body, let ends):
      return .device(try await signer(of: message, body, ends, at: now))
    case .address(let ends):
      return try await device(at: ends, now).map(Visitor.device)
    case .owner(let ends):
      return try await threads.read { [mode] () throws(Failure) -> Visitor? in
        mode == .address && SocketOwner.isOurs(peer: ends.peer, local: ends.local) ? .owner : nil
      }
    }
  }

  /// Returns the browser that has one of the given tokens, and extends its access.
  ///
  /// Cookies that another port or path set are ignored.
  private func browser(
    _ tokens: [String], isSecure: Bool, _ ends: Credential.Ends, at now: Timestamp
  ) async throws(Failure) -> Visitor {
    let (browser, token, isDue) = try await threads.read {
      [devices] () throws(Failure) -> (Device, String, Bool) in
      var isForeign = false
      for token in tokens {
        do throws(Failure) {
          let (browser, isDue) = try devices.browser(token, at: now)
          let isAdmitted =
            AccessToken.kind(token) == .ownBrowser
            ? SocketOwner.isOurs(peer: ends.peer, local: ends.local)
            : isSecure || !SocketOwner.isForeign(peer: ends.peer, local: ends.local)
          if isAdmitted { return (browser, token, isDue) }
          isForeign = true
        } catch {
          guard error.code == .authExpired else { throw error }
        }
      }
      throw isForeign ? BrowserCookie.foreign : BrowserCookie.missing
    }
    if isDue {
      try await threads.write { [store] () throws(Failure) in
        try DeviceDesk(store).extend(token, of: browser, at: now)
      }
    }
    return .browser(browser, formToken: BrowserCookie.formToken(of: token))
  }

  /// Returns the kind of the token for a browser that signs in with the given head.
  ///
  /// - Throws: `AuthExpired` if another user of this machine sent the request without https.
  func tokenKind(for head: Head) async throws(Failure) -> AccessToken {
    let (isSecure, ends) = (cookie(of: head).isSecure, head.ends)
    return try await threads.read { () throws(Failure) in
      guard !isSecure, SocketOwner.isOfThisMachine(peer: ends.peer, local: ends.local) else {
        return .browser
      }
      guard SocketOwner.isOurs(peer: ends.peer, local: ends.local) else {
        throw BrowserCookie.foreign
      }
      return .ownBrowser
    }
  }

  private func bearer(
    _ field: String?, isLocal: Bool, at now: Timestamp?
  ) async throws(Failure) -> Visitor {
    guard let token = field.flatMap(AccessToken.bearer) else {
      throw Failure(
        .authExpired, "the request has no token",
        nextStep: "register the device with 'pair register'")
    }
    guard AccessToken.kind(token) == .owner else {
      let device = try await threads.read { [devices] () throws(Failure) in
        try devices.authenticate(token, at: now)
      }
      return .device(device)
    }
    guard AccessToken.areEqual(AccessToken.digest(token), ownerDigest) else {
      throw Failure(.authExpired, "the token is not this hub's operator token")
    }
    guard isLocal else {
      throw Failure(.permissionDenied, "the operator token is only valid on the hub's machine")
    }
    return .owner
  }
}
