public import Core

/// A pipeline with everything that belongs to its plan.
public struct StoredPipeline: Sendable {
  /// The pipeline.
  public var pipeline: Pipeline
  /// Its stages, by position.
  public var stages: [Stage]
  /// The pages that were handed in with it.
  public var pages: [Page]
  /// The options of its run, as JSON; nil before a run began.
  public var options: String?
  /// Whether a run of it began.
  public var isBegun: Bool
  /// The models that its plan asks for, by stage, whatever a run chose.
  public var askedModels: [String: String]

  /// Puts the parts together.
  public init(
    pipeline: Pipeline, stages: [Stage], pages: [Page] = [], options: String? = nil,
    isBegun: Bool = false, askedModels: [String: String] = [:]
  ) {
    self.pipeline = pipeline
    self.stages = stages
    self.pages = pages
    self.options = options
    self.isBegun = isBegun
    self.askedModels = askedModels
  }
}
