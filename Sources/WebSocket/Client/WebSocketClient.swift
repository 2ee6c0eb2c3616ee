public import Core
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A client that opens WebSocket connections.
public enum WebSocketClient {
  /// The event loop group of all connections.
  ///
  /// It has one thread and is created on first use.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Connects to the given URL and waits for the end of the handshake.
  ///
  /// - Parameters:
  ///   - url: A `ws` or `wss` URL without user, password or fragment.
  ///   - headers: Additional header fields of the request, such as `Authorization`.
  ///   - settings: The timeout and the limits.
  ///   - interruption: The interruption that ends this wait and the waits of the session.
  /// - Returns: The open connection.
  /// - Throws: `BadInput` if the URL or a header field is invalid; `BadConfiguration` if the
  ///   trusted certificates cannot be read; `NetworkUnavailable` if the connection fails; `Timeout`
  ///   if the handshake takes too long; `InvalidResponse` if the server does not speak WebSocket;
  ///   the failure that the status indicates if the server refuses the handshake; `Interrupted` if
  ///   the process is to end.
  public static func connect(
    to url: String, headers: [(name: String, value: String)] = [],
    settings: WebSocketSettings = WebSocketSettings(), interruption: Interruption
  ) throws(Failure) -> WebSocketSession {
    let address = try WebSocketAddress(url)
    let request = try request(to: address, headers)
    let trust = address.isSecure ? try trust(settings) : nil
    let inbox = try WebSocketInbox(limit: settings.waitingBytes)
    start(request, to: address, trust: trust, settings: settings, inbox: inbox)

    let milliseconds = Int32(clamping: Int64(min(settings.timeoutSeconds, 86_400) * 1000))
    do throws(Failure) {
      guard let outcome = try inbox.outcome(within: milliseconds, interruption) else {
        throw Failure(
          .timeout, "'\(address.shown)' did not answer in time", kind: .connectTimeout,
          url: address.shown)
      }
      return WebSocketSession(
        try outcome.get(), to: address, inbox: inbox, settings: settings,
        interruption: interruption)
    } catch {
      inbox.abandon()
      throw error
    }
  }

  private static func start(
    _ request: HTTPRequestHead, to address: WebSocketAddress, trust: NIOSSLContext?,
    settings: WebSocketSettings, inbox: WebSocketInbox
  ) {
    let seconds = min(settings.connectSeconds ?? settings.timeoutSeconds, 86_400)
    ClientBootstrap(group: group)
      .connectTimeout(.milliseconds(Int64(seconds * 1000)))
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        inbox.attach(channel)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .connect(host: address.host, port: address.port)
      // For a host with several addresses, there are several channels, but only one sends the
      // request.
      .flatMapThrowing { channel in
        let operations = channel.pipeline.syncOperations
        if let trust {
          // TLS has no server name for an address, but the certificate must still be valid for the
          // address.
          let name = isAddress(address.host) ? nil : address.host
          try operations.addHandler(NIOSSLClientHandler(context: trust, serverHostname: name))
        }
        let encoder = HTTPRequestEncoder()
        let decoder = ByteToMessageHandler(
          HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
        try operations.addHandler(encoder)
        try operations.addHandler(decoder)
        try operations.addHandler(
          ClientHandshakeHandler(
            request, url: address.shown, limits: settings.limits, inbox: inbox, encoder: encoder,
            decoder: decoder))
      }
      .whenFailure { inbox.settle(.failure(Failure(handshake: $0, url: address.shown))) }
  }

  private static func request(
    to address: WebSocketAddress, _ fields: [(name: String, value: String)]
  ) throws(Failure) -> HTTPRequestHead {
    func bad(_ reason: String) -> Failure {
      Failure(.badInput, reason, kind: .badHeader, url: address.shown)
    }
    var headers: HTTPHeaders = [
      "host": address.authority, "connection": "Upgrade", "upgrade": "websocket",
      "sec-websocket-version": WebSocketHandshake.version,
      "sec-websocket-key": WebSocketHandshake.makeKey(),
    ]
    for (name, value) in fields {
      guard !name.isEmpty, name.utf8.allSatisfy(isToken) else {
        throw bad("the name of an HTTP field is not a token")
      }
      // The message omits the value, because it may be a secret.
      guard !value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
        throw bad("the HTTP field '\(name)' contains a control character")
      }
      let own = ["content-length", "transfer-encoding", "sec-websocket-extensions"]
      guard !headers.contains(name: name) || headers[name].isEmpty,
        !own.contains(name.lowercased())
      else { throw bad("the HTTP field '\(name)' is set by the client") }
      headers.add(name: name, value: value)
    }
    return HTTPRequestHead(
      version: .http1_1, method: .GET, uri: address.target, headers: headers)
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func isAddress(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Returns the TLS settings.
  ///
  /// The trusted certificates are those in the given settings' file, or else the system's.
  private static func trust(_ settings: WebSocketSettings) throws(Failure) -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.applicationProtocols = ["http/1.1"]
    configuration.minimumTLSVersion = .tlsv12
    let environment = ProcessInfo.processInfo.environment
    let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap { environment[$0] }
    let file = settings.trustedCertificates ?? named.first { !$0.isEmpty }
    if let file { configuration.trustRoots = .file(file) }
    do {
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw Failure(
        .badConfiguration,
        "cannot read the trusted certificates"
          + (file.map { " of '\($0)'" } ?? ""), kind: .tls, cause: Visible.line("\(error)"))
    }
  }
}
