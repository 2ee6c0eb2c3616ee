import Core

/// Something that is the matter, until it is not any more.
struct WatchedAlert: WatchedDocument {
  static let kind = "alert"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedAlert>> { \.alerts }

  /// The kind of alert, and what it is about.
  var id: String
  var raisedAt: Int64
  var isRaised: Bool
  /// Whether the log has it.
  var isTold: Bool
  var alert: Alert

  var updatedAt: Int64 { raisedAt }
  var liveUntil: Int64? { isRaised || !isTold ? .max : nil }
}
