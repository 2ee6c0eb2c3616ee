import Chats
import Command
import Core
import Events
import Hub
import Tools

extension Session {
  /// Returns the function that offers the companions' chats the tools that the given patterns match;
  /// nil if there are no patterns.
  ///
  /// Each prompt has its own servers, which end with its answer. The patterns allow the calls, since
  /// nobody can be asked.
  func offering(_ patterns: [String]) -> CompanionModels.Offering? {
    guard !patterns.isEmpty else { return nil }
    return { [self] (requested, work) async throws(Failure) in
      var options = ToolOptions()
      (options.asksPerson, options.configured, options.version) = (false, patterns, version)
      options.journal = EventJournal(directories, report: report)
      try await Toolbox.using(self, options) { (toolbox) async throws(Failure) in
        let offered = try await OfferedTools(toolbox, matching: patterns, requested: requested)
        try await work(offered.offers.isEmpty ? nil : ChatTools(offered))
      }
    }
  }
}
