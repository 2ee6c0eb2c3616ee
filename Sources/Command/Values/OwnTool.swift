import Foundation

/// The paths of other tools of this project, which are installed in the folder of this tool.
public enum OwnTool {
  /// Returns the path of the given tool in the folder of this tool.
  ///
  /// If the tool is not there, its name is returned, so that it is looked up in PATH.
  public static func path(_ tool: String) -> String {
    var path = [Int8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return tool }
    let own = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let other = own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + tool
    return access(other, X_OK) == 0 ? other : tool
  }
}
