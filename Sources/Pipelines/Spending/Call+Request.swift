import Core

extension Call {
  /// Creates a call that is about to be sent, with an output limit.
  init(pipelineId: String?, stageId: String?, _ estimate: Estimate, output: Int) {
    self.init(
      pipelineId: pipelineId, stageId: stageId, model: estimate.model,
      estimatedTokens: estimate.tokens(output: output),
      estimatedCostUSD: estimate.cost(output: output))
  }
}
