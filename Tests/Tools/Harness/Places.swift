import Foundation
import TestSupport

/// Where the tests find what they run and compare with.
enum Places {
  /// The folder `Tests`.
  static let tests = Checkout.root.path + "/Tests"

  /// The folder of the built tools.
  static let tools = Checkout.tools

  static let environment = ProcessInfo.processInfo.environment

  /// Where records of all runs are collected for other checks, if anywhere.
  static let records = environment["AGENTPIPES_TEST_RECORDS"]

  /// A Python that has the packages of `scripts/needs/requirements.txt`, if any.
  static let python = environment["AGENTPIPES_PYTHON"]

  /// Whether expected outputs are written anew instead of compared with.
  static let isRecording = environment["AGENTPIPES_RECORD"] != nil
}
