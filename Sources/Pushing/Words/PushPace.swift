/// The name of a target in the queue, and the limits of its messages.
struct PushPace: Sendable, Hashable {
  /// The name, without secrets.
  let id: String
  /// The maximum number of messages per minute, without those of critical alerts.
  let perMinute: Int
  /// The daily period in which only critical alerts are sent; nil for none.
  let quiet: QuietHours?
}
