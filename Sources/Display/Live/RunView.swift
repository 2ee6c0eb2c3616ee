public import Core

/// A view of a run on a terminal, with one row for each stage.
///
/// The rows are redrawn at each change. The results appear below them.
public struct RunView: Sendable {
  private var stages: [Stage] = []
  private var pipelines: [Pipeline] = []
  /// The files that were written while stages were running.
  private var files: [FileRecord] = []
  /// The drawn lines that may still be overwritten.
  private var drawn: [String] = []
  /// The ids of the gates whose question is on the terminal.
  ///
  /// Nothing is drawn over a question.
  private var questions: Set<String> = []
  /// The ids of stages whose model is thinking but has not begun to answer.
  private var thinking: Set<String> = []
  private let canMove: Bool
  private let showsResults: Bool

  /// Creates an empty view.
  ///
  /// - Parameters:
  ///   - canMove: `true` to overwrite lines on the terminal; `false` to write a new line for each
  ///     change.
  ///   - showsResults: `true` if another tool runs the stages and sends its records to this one. In
  ///     that case, nothing is overwritten, because that tool may ask questions on the same
  ///     terminal.
  public init(canMove: Bool, showsResults: Bool) {
    self.canMove = canMove
    self.showsResults = showsResults
  }

  /// Returns the output that shows the given record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - text: The renderer of records.
  ///   - rows: The number of rows of the terminal.
  /// - Returns: The output; empty if the record is not shown.
  /// - Throws: As ``RecordText/text(_:)``.
  public mutating func show(
    _ record: any StreamRecord, _ text: RecordText, rows: Int
  ) throws(Failure) -> String {
    switch record {
    case let stage as Stage where showsResults:
      // Other tools use this terminal, too, so a stage is shown only once it is over.
      guard update(with: stage), [.approved, .failed].contains(stage.status) else { return "" }
      return try text.text(stage) + heldFiles(text)
    case let stage as Stage:
      return update(with: stage) ? draw(text, rows: rows, changed: stage) : ""
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
      // The gate's question follows, and the lines above it stay.
      questions.insert(gate.gateId)
      release()
      return ""
    case let delta as Delta where !showsResults: return update(with: delta, text, rows: rows)
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

  /// Leaves the drawn lines on the terminal.
  ///
  /// Later lines are drawn below them.
  public mutating func release() { drawn = [] }

  /// Returns the output that redraws the rows after a clock tick or a change of the window's size.
  public mutating func redrawn(_ text: RecordText, rows: Int) -> String {
    guard canMove, !drawn.isEmpty, stages.contains(where: { $0.status == .running }) else {
      return ""
    }
    return draw(text, rows: rows, changed: nil)
  }

  /// Returns the output to write at the end of the run.
  ///
  /// It shows the last state of plans that were not run.
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
    // The line with the question is not finished, so the output begins with a line end.
    let lead = (questions.isEmpty ? "" : "\n") + heldFiles(text)
    questions = []
    let own = stages.filter { $0.pipelineId == pipeline.id }
    let shown = drawn.isEmpty ? "" : erased(text) + lines(text).map { $0 + "\n" }.joined()
    stages.removeAll { $0.pipelineId == pipeline.id }
    if !own.isEmpty || stages.isEmpty { files = [] }
    drawn = []
    return lead + shown + (try text.text(pipeline))
  }

  /// Returns the rows that list the files in `files`, and empties `files`.
  private mutating func heldFiles(_ text: RecordText) -> String {
    guard showsResults else { return "" }
    defer { files = [] }
    return text.table(files)?
      .text(width: text.width, palette: text.palette, hasHeadings: false) ?? ""
  }

  /// Updates the view if the given delta shows that a stage's model begins to think or to answer.
  private mutating func update(with delta: Delta, _ text: RecordText, rows: Int) -> String {
    guard let id = delta.stageId, canMove, !drawn.isEmpty else { return "" }
    let isChanged =
      delta.reasoning != nil
      ? thinking.insert(id).inserted : thinking.remove(id) != nil
    return isChanged ? draw(text, rows: rows, changed: nil) : ""
  }

  /// Records the given stage.
  ///
  /// - Returns: `false` if nothing visible changed.
  private mutating func update(with stage: Stage) -> Bool {
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
    // Lines that scrolled off the screen cannot be overwritten.
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

  /// Returns the sequence that moves to the first drawn line and erases everything from there on.
  ///
  /// It uses ED of ECMA-48.
  private func erased(_ text: RecordText) -> String {
    guard canMove, !drawn.isEmpty, text.width != nil else { return "" }
    return text.above(drawn) + "\u{1B}[J"
  }
}

extension StageStatus {
  /// `true` if the files written during the stage are held back, to be shown below the stage.
  fileprivate var holdsFiles: Bool { self == .running || self == .completed }
}

extension PipelineStatus {
  /// `true` if a run with this status does not continue by itself.
  fileprivate var isOver: Bool { ![.waiting, .running].contains(self) }
}
