import Foundation

/// The places of a program's sessions.
struct ProgramPlaces: Sendable {
  /// Returns the folders of the program, or its database, if a variable moves it.
  ///
  /// The parameters are the user's folder, and the value of a variable; nil if it is empty.
  var roots: @Sendable (_ home: String, _ variable: (String) -> String?) -> [String]
  /// The folders below a root that contain sessions; the first is the one in which new files appear.
  var folders: [String] = []
  /// Returns the sources in the given files below a root.
  ///
  /// Titles are texts. They are read from a file of their own only if the last parameter is `true`.
  var sources: @Sendable (_ files: [String], _ root: String, _ isTitled: Bool) -> [SessionSource]
  /// Returns the sources of a search in the order in which they are read, without copies.
  var ordered: @Sendable ([SessionSource]) -> [SessionSource] = { $0 }
  /// The file with sessions beside the folders, below a root; nil if there is none.
  var aside: String?

  /// Returns the folders of the program, or its database, with the given environment.
  func roots(in environment: [String: String]) -> [String] {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    return roots(variable("HOME") ?? NSHomeDirectory(), variable)
  }
}
