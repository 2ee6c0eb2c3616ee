import Core
import Synchronization

/// The notes about the progress of one request, of which no more than ten a second are passed on.
final class ProgressNotes: Sendable {
  private static let pause = Duration.milliseconds(100)

  private let server: String
  private let report: @Sendable (MCPNote) -> Void
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ server: String, _ report: @escaping @Sendable (MCPNote) -> Void) {
    (self.server, self.report) = (server, report)
  }

  /// Passes on the given parameters of `notifications/progress`.
  func report(_ params: [String: JSONValue]) {
    let isDue = last.withLock { last in
      if let last, last + Self.pause > .now { return false }
      last = .now
      return true
    }
    guard isDue else { return }
    var parts: [String] = []
    if let progress = params["progress"].flatMap(Self.shown) {
      parts.append(progress + (params["total"].flatMap(Self.shown).map { " of \($0)" } ?? ""))
    }
    if case .string(let message)? = params["message"] {
      parts.append(Visible.line(String(message.prefix(200))))
    }
    report(.progress("'\(server)': " + parts.joined(separator: ": ")))
  }

  private static func shown(_ value: JSONValue) -> String? {
    switch value {
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    default: nil
    }
  }
}
