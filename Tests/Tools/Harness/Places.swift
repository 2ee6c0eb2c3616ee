import Foundation
import TestSupport

/// The locations of the tools and of the tests' files.
enum Places {
  /// The folder `Tests`.
  static let tests = Checkout.root.path + "/Tests"

  /// The folder of the built tools.
  static let tools = Checkout.tools

  static let environment = ProcessInfo.processInfo.environment

  /// The folder in which records of all runs are collected for other checks, if any.
  static let records = environment["AGENTPIPES_TEST_RECORDS"]

  /// A Python with the packages of `scripts/needs/requirements.txt`, if any.
  static let python = environment["AGENTPIPES_PYTHON"]

  /// `true` if expected outputs are rewritten instead of compared.
  static let isRecording = environment["AGENTPIPES_RECORD"] != nil
}
