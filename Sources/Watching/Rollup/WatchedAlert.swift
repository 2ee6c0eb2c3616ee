import Core

/// An alert that currently applies.
struct WatchedAlert: WatchedDocument {
  static let kind = "alert"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedAlert>> { \.alerts }

  /// The kind and the subject of the alert.
  var id: String
  var raisedAt: Int64
  var isRaised: Bool
  /// `true` if the alert was logged.
  var isTold: Bool
  var alert: Alert

  var updatedAt: Int64 { raisedAt }
  var liveUntil: Int64? { isRaised || !isTold ? .max : nil }
}
