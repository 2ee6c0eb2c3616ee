/// A violation by the peer: the code that ends the connection, and a short reason.
struct WebSocketFault: Error, Hashable {
  var code: UInt16
  var reason: String

  /// Returns a violation of RFC 6455.
  static func protocolError(_ reason: String) -> WebSocketFault {
    WebSocketFault(code: 1002, reason: reason)
  }

  /// A text that is not UTF-8.
  static let notText = WebSocketFault(code: 1007, reason: "a text is not UTF-8")
  /// A message that exceeds the limit.
  static let tooLarge = WebSocketFault(code: 1009, reason: "the message is too large")

  /// Returns `true` if a Close frame may carry a code: those of RFC 6455 section 7.4, IANA's
  /// additions, and the two ranges for libraries and programs.
  static func mayBeSent(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
