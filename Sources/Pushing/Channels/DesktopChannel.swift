import Core
import Foundation
import Processes
import Synchronization

/// Messages on the desktop of this machine, by notify-send(1).
final class DesktopChannel: PushChannel {
  let replacesMessages = true
  private let program: PushProgram
  /// The desktop's numbers of the messages that are shown, by subject.
  private let shown = Mutex<[String: String]>([:])

  init(_ program: PushProgram) { self.program = program }

  func send(_ message: PushMessage) async throws(Failure) {
    let path = try program.find(["notify-send"], "install libnotify")
    var command = [
      path, "--app-name=agentpipes", "--print-id",
      "--urgency=" + Self.urgency(message.alert.severity),
    ]
    let earlier = shown.withLock { $0[message.subject] }
    if let earlier { command.append("--replace-id=" + earlier) }
    // The desktop interprets the body as markup, but not the title.
    let body = [Self.escaped(message.text), message.url.map(Self.escaped)].compactMap { $0 }
    command += ["--", message.title, body.joined(separator: "\n")]
    let number = try await program.run(command).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !number.isEmpty, number.utf8.allSatisfy(\.isDigit) else { return }
    shown.withLock { shown in
      if shown.count > 1000 { shown = [:] }
      if message.isReplaceable { shown[message.subject] = number }
    }
  }

  /// Returns the environment in which the desktop is found, also from cron(8), which names no bus.
  static func environment(_ given: [String: String]) -> [String: String] {
    var variables = given
    let socket = "/run/user/\(getuid())/bus"
    if variables["DBUS_SESSION_BUS_ADDRESS"] == nil, variables["XDG_RUNTIME_DIR"] == nil,
      access(socket, F_OK) == 0
    {
      variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(socket)"
    }
    return variables
  }

  private static func urgency(_ severity: Log.Level) -> String {
    severity >= .critical ? "critical" : severity >= .warn ? "normal" : "low"
  }

  private static func escaped(_ text: String) -> String {
    // notify-send decodes backslash escapes in the body.
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
