public import Core
import HTTP

/// A connection to a hub's live stream, over any protocol.
///
/// Only one thread at a time may wait for lines.
public protocol HubLine: AnyObject {
  /// The id of the last event before the stream begins; nil until the hub has sent it.
  var start: String? { get }

  /// Waits for the next lines.
  ///
  /// - Parameter milliseconds: The longest wait; -1 for no limit.
  /// - Returns: Complete lines, each of which is a record with its line end. They are empty if the
  ///   wait timed out.
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
  /// The filter and the rate of the stream.
  public var subscription: HubSubscription
  /// The id of the event after which to resume; nil to begin with new events.
  public var last: String?
  /// The signal that ends waits.
  public var interruption: Interruption
  /// The longest wait to connect, in seconds; that of the hub's requests.
  public var connect = HTTPTimeouts().connect

  /// The number of seconds without data after which a connection counts as lost.
  ///
  /// A hub sends a sign of life every 15 seconds.
  public static let silence = 45.0

  /// Returns the failure that reports that the connection was lost.
  ///
  /// - Parameter cause: The cause; nil if unknown.
  /// - Returns: The failure.
  public func lost(_ cause: String? = nil) -> Failure {
    Failure(
      .networkUnavailable, "the connection to '\(hub.url)' was lost", kind: .connect, url: hub.url,
      cause: cause)
  }
}
