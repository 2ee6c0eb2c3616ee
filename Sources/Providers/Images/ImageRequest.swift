/// A request for images.
public struct ImageRequest: Sendable, Hashable {
  /// The description of the images.
  public var prompt: String
  /// The number of images.
  public var count: Int
  /// The size, such as `1024x1024`; nil for the provider's default.
  public var size: String?
  /// The quality in the provider's terms; nil for the provider's default.
  public var quality: String?

  /// Creates the request.
  public init(prompt: String, count: Int = 1, size: String? = nil, quality: String? = nil) {
    self.prompt = prompt
    self.count = count
    self.size = size
    self.quality = quality
  }

  /// Returns the body of a request for `count` images.
  func body(_ count: Int, model: String) -> WireText {
    WireText([
      "model": WireText(model), "prompt": WireText(prompt), "n": WireText(count),
      "size": size.map { WireText($0) }, "quality": quality.map { WireText($0) },
    ])
  }
}
