public import Core

/// A run on a terminal: a row a stage, drawn again whenever one changes, and below them what came of
/// it.
public struct RunView: Sendable {
  private var stages: [Stage] = []
  private var pipelines: [Pipeline] = []
  /// Files that were written while stages were at work.
  private var files: [FileRecord] = []
  /// The lines that are drawn, and may be drawn over.
  private var drawn: [String] = []
  /// Gates that somebody is asked about: nothing is drawn into the question.
  private var questions: Set<String> = []
  /// The stages whose model thinks and says nothing yet.
  private var thinking: Set<String> = []
  private let canMove: Bool
  private let showsResults: Bool

  /// A view of nothing.
  ///
  /// - Parameters:
  ///   - canMove: Whether the terminal can be drawn over; where not, each change is a new line.
  ///   - showsResults: Whether the run is another tool's, whose results pass; nothing is drawn over
  ///     then, since that tool may ask questions on the same terminal.
  public init(canMove: Bool, showsResults: Bool) {
    self.canMove = canMove
    self.showsResults = showsResults
  }

  /// What shows a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - text: How records look now.
  ///   - rows: The terminal's rows.
  /// - Returns: What to write; empty where nothing is shown of it.
  /// - Throws: As `RecordText.text`.
  public mutating func show(
    _ record: any StreamRecord, _ text: RecordText, rows: Int
  ) throws(Failure) -> String {
    switch record {
    case let stage as Stage where showsResults:
      // Others draw on this terminal, too: what passes is told once it is over, and stays.
      guard take(stage), [.approved, .failed].contains(stage.status) else { return "" }
      return try text.text(stage) + heldFiles(text)
    case let stage as Stage:
      return take(stage) ? draw(text, rows: rows, changed: stage) : ""
    case let pipeline as Pipeline:
      pipelines.removeAll { $0.id == pipeline.id }
      guard pipeline.status.isOver else {
        pipelines.append(pipeline)
        return ""
      }
      return try end(of: pipeline, text)
    case let gate as ApprovalGate where !showsResults:
      guard gate.status == .pending else {
        questions.remove(gate.gateId)
        return ""
      }
      // A question follows: what stands above it stays.
      questions.insert(gate.gateId)
      release()
      return ""
    case let delta as Delta where !showsResults: return take(delta, text, rows: rows)
    case is Artifact where !showsResults: return ""
    case let file as FileRecord where stages.contains(where: \.status.holdsFiles) && showsResults:
      files.append(file)
      return ""
    case let file as FileRecord where !drawn.isEmpty:
      files.append(file)
      return draw(text, rows: rows, changed: file)
    default:
      release()
      return try text.text(record)
    }
  }

  /// What is drawn stays as it is; what comes next stands below it.
  public mutating func release() { drawn = [] }

  /// The rows drawn again, for a clock that went on or a window of another size.
  public mutating func redrawn(_ text: RecordText, rows: Int) -> String {
    guard canMove, !drawn.isEmpty, stages.contains(where: { $0.status == .running }) else {
      return ""
    }
    return draw(text, rows: rows, changed: nil)
  }

  /// What is left to tell at the end: plans that nobody ran, in their last state.
  public mutating func end(_ text: RecordText) -> String {
    defer { (pipelines, stages) = ([], []) }
    let held = heldFiles(text)
    guard !pipelines.isEmpty else { return held }
    let waiting = stages.filter { ![.approved, .failed].contains($0.status) }
    if showsResults { stages = waiting }
    return held + erased(text) + lines(text).map { $0 + "\n" }.joined()
      + (text.table(pipelines).map {
        $0.text(width: text.width, palette: text.palette, hasHeadings: false)
      } ?? "")
  }

  private mutating func end(
    of pipeline: Pipeline, _ text: RecordText
  ) throws(Failure) -> String {
    // Nobody answers any more: what is told does not stand in the line of the question.
    let lead = (questions.isEmpty ? "" : "\n") + heldFiles(text)
    questions = []
    let own = stages.filter { $0.pipelineId == pipeline.id }
    let shown = drawn.isEmpty ? "" : erased(text) + lines(text).map { $0 + "\n" }.joined()
    stages.removeAll { $0.pipelineId == pipeline.id }
    if !own.isEmpty || stages.isEmpty { files = [] }
    drawn = []
    return lead + shown + (try text.text(pipeline))
  }

  /// Returns the rows of files whose stage was not told when they were written, and forgets them.
  private mutating func heldFiles(_ text: RecordText) -> String {
    guard showsResults else { return "" }
    defer { files = [] }
    return text.table(files)?
      .text(width: text.width, palette: text.palette, hasHeadings: false) ?? ""
  }

  /// Shows that a stage's model begins to think, or to answer.
  private mutating func take(_ delta: Delta, _ text: RecordText, rows: Int) -> String {
    guard let id = delta.stageId, canMove, !drawn.isEmpty else { return "" }
    let isChanged =
      delta.reasoning != nil
      ? thinking.insert(id).inserted : thinking.remove(id) != nil
    return isChanged ? draw(text, rows: rows, changed: nil) : ""
  }

  /// Takes a stage as it is now; false where nothing that is seen of it changed.
  private mutating func take(_ stage: Stage) -> Bool {
    guard let index = stages.firstIndex(where: { $0.id == stage.id }) else {
      stages.append(stage)
      return true
    }
    defer { stages[index] = stage }
    if stage.status != .running { thinking.remove(stage.id) }
    return stages[index].status != stage.status || stages[index].usage != stage.usage
      || stages[index].error != stage.error
  }

  private mutating func draw(
    _ text: RecordText, rows: Int, changed: (any TabledRecord)?
  ) -> String {
    guard questions.isEmpty else { return "" }
    let lines = lines(text)
    // What has left the screen cannot be drawn over.
    guard canMove, lines.count < rows else {
      drawn = []
      guard let changed, let table = text.table([changed]) else { return "" }
      return table.text(width: text.width, palette: text.palette, hasHeadings: false)
    }
    defer { drawn = lines }
    return erased(text) + lines.map { $0 + "\n" }.joined()
  }

  private func lines(_ text: RecordText) -> [String] {
    var text = text
    text.thinking = thinking
    return ([stages, files] as [[any TabledRecord]]).compactMap { text.table($0) }.flatMap {
      $0.lines(width: text.width, palette: text.palette, hasHeadings: false)
    }
  }

  /// Goes to the beginning of what is drawn and takes away all from there on (ED of ECMA-48).
  private func erased(_ text: RecordText) -> String {
    guard canMove, !drawn.isEmpty, text.width != nil else { return "" }
    return text.above(drawn) + "\u{1B}[J"
  }
}

extension StageStatus {
  /// `true` if the stage has begun and is told later, so that its file stands below it.
  fileprivate var holdsFiles: Bool { self == .running || self == .completed }
}

extension PipelineStatus {
  /// Whether a run that has it does nothing more by itself.
  fileprivate var isOver: Bool { ![.waiting, .running].contains(self) }
}
