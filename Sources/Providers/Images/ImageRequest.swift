/// What pictures are asked for.
public struct ImageRequest: Sendable, Hashable {
  /// What they are to show.
  public var prompt: String
  /// How many.
  public var count: Int
  /// Their size, such as `1024x1024`; nil leaves it to the provider.
  public var size: String?
  /// Their quality, a word of the provider's; nil leaves it to the provider.
  public var quality: String?

  /// Creates the request.
  public init(prompt: String, count: Int = 1, size: String? = nil, quality: String? = nil) {
    self.prompt = prompt
    self.count = count
    self.size = size
    self.quality = quality
  }

  /// The request's body, for some of the pictures.
  func body(_ count: Int, model: String) -> WireText {
    WireText([
      "model": WireText(model), "prompt": WireText(prompt), "n": WireText(count),
      "size": size.map { WireText($0) }, "quality": quality.map { WireText($0) },
    ])
  }
}
