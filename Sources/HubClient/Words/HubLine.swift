public import Core

/// A connection to a hub's live stream, over any protocol.
///
/// Only one thread at a time may wait for lines.
public protocol HubLine: AnyObject {
  /// The id of the event that precedes the stream; nil until the hub has sent it.
  var start: String? { get }

  /// Waits for the next lines.
  ///
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  /// - Returns: Whole lines, each a record with its line end; none if the wait timed out.
  /// - Throws: The failure that ended the connection; `Interrupted` if the process is to end.
  func lines(within milliseconds: Int32) throws(Failure) -> [UInt8]

  /// Ends the connection.
  func close()
}

/// The parameters of a connection to a hub's live stream.
public struct HubCall: Sendable {
  /// The hub.
  public var hub: HubChoice
  /// The value of the `Authorization` field.
  public var authorization: String
  /// The filter and the rate.
  public var subscription: HubSubscription
  /// The id of the event after which to resume; nil to begin with new events.
  public var last: String?
  /// The signal that ends waits.
  public var interruption: Interruption

  /// The seconds without data after which a connection counts as lost; a hub sends a sign of life
  /// every 15 seconds.
  public static let silence = 45.0

  /// Returns the failure of a lost connection.
  ///
  /// - Parameter cause: The cause; nil if it is unknown.
  /// - Returns: The failure.
  public func lost(_ cause: String? = nil) -> Failure {
    Failure(
      .networkUnavailable, "the connection to '\(hub.url)' was lost", kind: .connect, url: hub.url,
      cause: cause)
  }
}
