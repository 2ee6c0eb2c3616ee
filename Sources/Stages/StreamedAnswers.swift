public import Core
import Pipelines
import Synchronization

/// Leaves out what a reader of text has seen: an answer that was told piece by piece.
public final class StreamedAnswers: Sendable {
  private let isText: Bool
  /// The stages of which pieces were told.
  private let stages = Mutex<Set<String>>([])

  /// - Parameter isText: Whether people read it; else all records are told.
  public init(asText isText: Bool) { self.isText = isText }

  /// What is told of a record: the end of a line in place of an answer whose pieces were told.
  public func records(_ record: any StreamRecord) -> [any StreamRecord] {
    guard isText else { return [record] }
    switch record {
    case let delta as Delta:
      stages.withLock { _ = $0.insert(delta.stageId ?? "") }
      return [record]
    case let artifact as Artifact:
      let wasTold = stages.withLock { $0.remove(artifact.stageId ?? "") != nil }
      guard wasTold else { return [record] }
      let note = artifact.content.ranges(of: "\n\n## Not read\n").last
      let end = note.map { String(artifact.content[$0.lowerBound...]) } ?? ""
      return [
        Delta(model: artifact.model ?? "", text: end + "\n\n").with {
          $0.stageId = artifact.stageId
        }
      ]
    default: return [record]
    }
  }
}
