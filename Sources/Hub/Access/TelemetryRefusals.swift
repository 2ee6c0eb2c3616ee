import Core
import Synchronization

/// The refusals of telemetry, of which the operator sees one for each sender and reason.
///
/// Exporters drop what a hub refuses, and rarely show the reason.
final class TelemetryRefusals: Sendable {
  /// The number of refusals that are reported, so that strangers cannot fill the log.
  private static let most = 200

  private let report: NoticeHandler
  private let known = Mutex<Set<String>>([])

  /// Creates an empty list; `report` receives notices for the operator.
  init(report: @escaping NoticeHandler) { self.report = report }

  /// Reports that telemetry was refused, unless the same was reported before.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a sentence.
  ///   - visitor: The sender; nil if it is unknown.
  ///   - ends: The ends of the connection.
  ///   - program: The sender's `User-Agent`; nil if it sent none.
  func add(_ reason: String, of visitor: Visitor?, _ ends: Credential.Ends, program: String?) {
    let sender = visitor?.name ?? ends.peer?.plainAddress ?? "an unknown address"
    let words = program.map { " (\(Visible.line(String($0.prefix(100)))))" } ?? ""
    let text = "telemetry of '\(Visible.line(sender))'\(words) is refused: \(reason)"
    let isNew = known.withLock { $0.count < Self.most && $0.insert(text).inserted }
    if isNew { report(.sentence(Secrets.shown(text))) }
  }
}
