import Core
import Foundation
import Synchronization

/// Shows the stages of a run on a terminal, one line each, drawn again whenever one changes.
public final class LiveView: Sendable {
  private struct State {
    var stages: [Stage] = []
    var drawnLines = 0
  }

  private let state = Mutex(State())
  /// Whether lines can be drawn over; where not, each change is a new line.
  private let canMove: Bool
  /// More lines than this are not drawn over: they may have left the screen.
  private static let maximumLines = 20

  init(environment: [String: String]) {
    canMove = isatty(1) == 1 && !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// The text that shows a record's change; nil for records that are not shown.
  func text(_ record: any StreamRecord) throws(Failure) -> String? {
    switch record {
    case let stage as Stage: state.withLock { show(stage, in: &$0) }
    case let pipeline as Pipeline:
      state.withLock { state in
        end(&state, of: pipeline.id) + (TextRendering.line(pipeline))
      }
    case let gate as ApprovalGate where gate.status == .pending:
      // A question may follow: what stands above it stays.
      state.withLock {
        $0.drawnLines = 0; return nil
      }
    default: nil
    }
  }

  /// What is done now, in a line; nil when nothing is.
  var summary: String? {
    state.withLock { state in
      guard let stage = state.stages.last(where: { $0.status == .running }) else { return nil }
      let seconds = stage.startedAt.map { Int(Timestamp.now.seconds(since: $0)) } ?? 0
      let done = state.stages.count { $0.status != .running }
      return "\(done) done, \(stage.role.rawValue) \(seconds) s"
    }
  }

  private func show(_ stage: Stage, in state: inout State) -> String {
    if let index = state.stages.firstIndex(where: { $0.id == stage.id }) {
      state.stages[index] = stage
    } else {
      state.stages.append(stage)
    }
    guard canMove, state.stages.count <= Self.maximumLines else { return TextRendering.line(stage) }
    let up = state.drawnLines > 0 ? "\r\u{1B}[\(state.drawnLines)A" : "\r"
    state.drawnLines = state.stages.count
    return state.stages.reduce(up) { $0 + "\u{1B}[2K" + TextRendering.line($1) }
  }

  /// Takes a pipeline that ended out of what is drawn.
  private func end(_ state: inout State, of pipelineId: String) -> String {
    state.stages.removeAll { $0.pipelineId == pipelineId }
    state.drawnLines = 0
    return canMove ? "\r\u{1B}[2K" : ""
  }
}
