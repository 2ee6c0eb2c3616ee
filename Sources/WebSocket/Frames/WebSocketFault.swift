/// What is wrong with what a peer sent: the code that ends the connection, and a few words with it.
struct WebSocketFault: Error, Hashable {
  var code: UInt16
  var reason: String

  /// The peer does not keep to RFC 6455.
  static func protocolError(_ reason: String) -> WebSocketFault {
    WebSocketFault(code: 1002, reason: reason)
  }

  /// A text is not UTF-8.
  static let notText = WebSocketFault(code: 1007, reason: "a text is not UTF-8")
  /// There is more than is taken.
  static let tooLarge = WebSocketFault(code: 1009, reason: "the message is too large")

  /// Whether a Close frame may carry that code: those of RFC 6455 section 7.4, what IANA added to
  /// them, and the two ranges for libraries and for programs.
  static func mayBeSent(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
