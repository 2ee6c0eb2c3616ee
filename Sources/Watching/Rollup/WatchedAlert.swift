import Core

/// An alert, until it no longer applies.
struct WatchedAlert: WatchedDocument {
  static let kind = "alert"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedAlert>> { \.alerts }

  /// The kind of alert, and its subject.
  var id: String
  var raisedAt: Int64
  var isRaised: Bool
  /// `true` if the alert is in the log.
  var isTold: Bool
  var alert: Alert

  var updatedAt: Int64 { raisedAt }
  var liveUntil: Int64? { isRaised || !isTold ? .max : nil }
}
