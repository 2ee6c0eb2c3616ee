public import Core

/// One connection to a hub's live stream, by whatever protocol.
///
/// One thread at a time waits at it.
public protocol HubLine: AnyObject {
  /// The last event before the first that it gives; nil as long as the hub has not told it.
  var start: String? { get }

  /// Waits for what comes next.
  ///
  /// - Parameter milliseconds: How long at most; -1 waits on.
  /// - Returns: Whole lines, each a record with its line end; nothing when none came in time.
  /// - Throws: Why the connection is of no more use; `Interrupted` when the process is to end.
  func lines(within milliseconds: Int32) throws(Failure) -> [UInt8]

  /// Ends the connection.
  func close()
}

/// What a connection to a hub's live stream is made with.
public struct HubCall: Sendable {
  /// The hub.
  public var hub: HubChoice
  /// The value of the `Authorization` field.
  public var authorization: String
  /// What is wanted.
  public var subscription: HubSubscription
  /// The event after which it goes on; nil from now on.
  public var last: String?
  /// Ends the waits.
  public var interruption: Interruption

  /// How long a hub that lives says nothing, in seconds: it tells every 15 that it is there.
  public static let silence = 45.0

  /// The failure of a connection that is lost.
  ///
  /// - Parameter cause: What is known of why.
  /// - Returns: The failure.
  public func lost(_ cause: String? = nil) -> Failure {
    Failure(
      .networkUnavailable, "the connection to '\(hub.url)' was lost", kind: .connect, url: hub.url,
      cause: cause)
  }
}
