public import Core
import Pipelines
import Synchronization

/// A filter that drops an answer if a person has already seen it in pieces.
public final class StreamedAnswers: Sendable {
  private let isText: Bool
  /// The ids of the stages whose answers were emitted in pieces.
  private let stages = Mutex<Set<String>>([])

  /// Creates a filter.
  ///
  /// - Parameter isText: `true` if people read the output; otherwise no record is dropped.
  public init(asText isText: Bool) { self.isText = isText }

  /// Returns the records to emit for the given record.
  ///
  /// An answer that was shown in pieces is replaced by a line end.
  public func records(_ record: any StreamRecord) -> [any StreamRecord] {
    guard isText else { return [record] }
    switch record {
    case let delta as Delta:
      stages.withLock { _ = $0.insert(delta.stageId ?? "") }
      return [record]
    case let artifact as Artifact:
      let wasReported = stages.withLock { $0.remove(artifact.stageId ?? "") != nil }
      guard wasReported else { return [record] }
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
