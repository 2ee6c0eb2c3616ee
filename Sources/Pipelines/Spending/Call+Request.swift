import Core
import Providers

extension Call {
  /// A request that is about to be sent, with what it may use at most.
  init(pipelineId: String?, stageId: String?, _ request: ModelRequest, _ choice: ModelChoice) {
    let estimate = Usage(
      inputTokens: request.estimatedInputTokens, outputTokens: request.maximumOutputTokens)
    self.init(
      pipelineId: pipelineId, stageId: stageId, model: choice.name,
      estimatedTokens: choice.price == .free ? 0 : estimate.totalTokens,
      estimatedCostUSD: choice.price?.cost(of: estimate))
  }
}
