/// Plans that tests feed to stage-run.
enum Plan {
  static let pipeline = "01900000-0000-7000-8000-000000000001"

  /// A pipeline of a researcher, a producer and a reviewer.
  static let three = [head, stage(0), stage(1), stage(2)].joined(separator: "\n") + "\n"

  /// A pipeline of a researcher alone.
  static let one = [head, stage(0)].joined(separator: "\n") + "\n"

  /// A page that the model without a key can quote.
  static let page = """
    {"text":"To compare the two, read the log first. The log appends changes to a file, and \
    readers do not wait for a writer. The journal copies the old pages before a commit.",\
    "type":"page","url":"https://a.example/"}

    """

  static let head = """
    {"goal":"Compare the two","id":"\(pipeline)","project":"P","type":"pipeline"}
    """

  static func stage(_ position: Int, _ more: String = "") -> String {
    let roles = ["researcher", "producer", "qaReviewer"]
    return """
      {"id":"\(id(position))","pipelineId":"\(pipeline)","position":\(position),\
      "role":"\(roles[position % 3])","task":"Job \(position)"\(more),"type":"stage"}
      """
  }

  static func id(_ position: Int) -> String { "01900000-0000-7000-8000-0000000000a\(position)" }
}
