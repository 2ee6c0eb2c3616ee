import Core

/// An alert that applies at the moment.
struct WatchedAlert: WatchedDocument {
  static let kind = "alert"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedAlert>> { \.alerts }

  /// The kind of the alert, together with its subject.
  var id: String
  var raisedAt: Int64
  var isRaised: Bool
  /// `true` if the alert was already logged.
  var isTold: Bool
  var alert: Alert

  var updatedAt: Int64 { raisedAt }
  var liveUntil: Int64? { isRaised || !isTold ? .max : nil }
}
