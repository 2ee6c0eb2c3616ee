/// A violation of the protocol by the peer.
///
/// It consists of the code for the Close frame and of a short reason.
struct WebSocketFault: Error, Hashable {
  var code: UInt16
  var reason: String

  /// Returns the fault for a violation of RFC 6455, with the given reason.
  static func protocolError(_ reason: String) -> WebSocketFault {
    WebSocketFault(code: 1002, reason: reason)
  }

  /// The fault of a text message that is not UTF-8.
  static let notText = WebSocketFault(code: 1007, reason: "a text is not UTF-8")
  /// The fault of a message that exceeds the limit.
  static let tooLarge = WebSocketFault(code: 1009, reason: "the message is too large")

  /// Returns `true` if a Close frame may contain the given code.
  ///
  /// Valid codes are those of RFC 6455 section 7.4, IANA's additions, and the two ranges for
  /// libraries and programs.
  static func mayBeSent(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
