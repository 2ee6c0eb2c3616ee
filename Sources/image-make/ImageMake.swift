import ArgumentParser
import Command
import Core
import Exporting
import HTTP
import Providers

@main
struct ImageMake: Tool {
  static let configuration = toolConfiguration(
    "image-make", abstract: "Make pictures from a description",
    discussion: """
      Examples:
        image-make 'a lighthouse in fog, woodcut'
        image-make 'a map of an island' --size 1024x1024 --into pictures
        image-make - --count 3 < prompt.txt | jq -r .path
      """)

  @Argument(help: "The description; '-' or nothing reads it from stdin.")
  var prompt: String?
  @Option(help: "The model to use: NAME or PROVIDER/NAME.", completion: .imageModels)
  var model: String?
  @Option(help: ArgumentHelp("The size in pixels, such as 1024x1024.", valueName: "size"))
  var size: String?
  @Option(help: ArgumentHelp("The number of pictures.", valueName: "count"))
  var count = 1
  @Option(help: ArgumentHelp("The quality, in the provider's terms.", valueName: "word"))
  var quality: String?
  @Option(
    help: ArgumentHelp("Write into this folder.", valueName: "folder"),
    completion: .directory)
  var into = "."
  @OptionGroup var limits: RequestOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (1...10).contains(count) else { throw ValidationError("--count must be 1 to 10.") }
    guard !into.isEmpty else { throw ValidationError("--into needs a folder.") }
    guard prompt?.isEmpty != true else { throw ValidationError("The description is empty.") }
  }

  func run(_ session: Session) async throws(Failure) {
    let prompt = try description(session)
    let configuration = try session.configuration()
    let models = ModelAccess(
      configuration, session.directories, keys: session.keys(configuration),
      environment: session.environment,
      timeouts: limits.timeouts, retries: limits.retries)
    let maker = try models.directory.imageMaker(
      model, retry: RetryPolicy(retries: limits.retries))
    session.diagnostics.progress("drawing with \(maker.name) …")
    var files = NumberedFiles(into: into, named: prompt, usual: "image")
    let request = ImageRequest(prompt: prompt, count: count, size: size, quality: quality)
    try await maker.make(request) { (result) throws(Failure) in
      session.diagnostics.progress("")
      switch result {
      case .success(let image):
        let file = try files.write(image.bytes, suffix: image.type.suffix)
        try session.writeIfRead { () throws(Failure) in try session.output.write(file) }
      case .failure(let failure): try session.goOn(after: failure)
      }
    }
  }

  /// Returns the operand or, without one, the text on stdin without its final line feeds.
  private func description(_ session: Session) throws(Failure) -> String {
    var text = prompt ?? "-"
    if text == "-" {
      var input = session.input()
      text = try input.text()
      while text.last?.isNewline == true { text.removeLast() }
    }
    text.replace("\r\n", with: "\n")
    guard !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.badInput, "the description is empty", input: "<stdin>:1")
    }
    return text
  }
}
