public import Core

/// A pipeline with its plan.
public struct StoredPipeline: Sendable {
  /// The pipeline.
  public var pipeline: Pipeline
  /// The stages, sorted by position.
  public var stages: [Stage]
  /// The pages supplied with the plan.
  public var pages: [Page]
  /// The options of the last run, as JSON; nil before the first run.
  public var options: String?
  /// `true` if the pipeline was ever run.
  public var isBegun: Bool
  /// The models that the plan itself names, by stage id.
  ///
  /// The options of a run do not change them.
  public var askedModels: [String: String]

  /// Creates a pipeline from its parts.
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
