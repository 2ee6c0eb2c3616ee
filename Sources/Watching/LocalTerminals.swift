public import Core

/// The tmux sessions of this machine's user.
public enum LocalTerminals {
  /// What is asked of each session: numbers, then the lengths in bytes of the texts that follow, which
  /// may hold anything.
  private static let format =
    "#{session_windows} #{session_attached} #{session_created} #{session_activity} "
    + "#{window_width} #{window_height} #{n:session_id} #{n:session_name} #{n:session_path} "
    + "#{session_id}#{session_name}#{session_path}"

  /// The session that a process was started in, by the environment that tmux gives it (tmux(1),
  /// `TMUX`); nil outside of one.
  public static func session(_ environment: [String: String]) -> String? {
    guard let number = environment["TMUX"]?.split(separator: ",").last, Int(number) != nil else {
      return nil
    }
    return "$\(number)"
  }

  /// The sessions, by name; none where no tmux server runs.
  ///
  /// - Parameter environment: What tmux is run with.
  /// - Returns: The sessions.
  /// - Throws: `TmuxNotFound`; `InvalidResponse` for an answer that cannot be read.
  public static func all(_ environment: [String: String]) throws(Failure) -> [TerminalSession] {
    let result: ChildProcess.Result
    do throws(Failure) {
      result = try ChildProcess.run(
        ["tmux", "-u", "list-sessions", "-F", format], environment: environment, seconds: 10)
    } catch {
      guard error.kind == "noProgram" else { throw error }
      throw Failure(.tmuxNotFound, "there is no tmux on this machine")
    }
    guard result.status == 0 else { return [] }
    var sessions: [TerminalSession] = []
    var rest = result.output[...]
    while !rest.isEmpty {
      guard let session = next(&rest) else {
        throw Failure(.invalidResponse, "tmux lists its sessions in a form that is not known")
      }
      sessions.append(session)
    }
    return sessions.sorted { $0.name < $1.name }
  }

  private static func next(_ rest: inout ArraySlice<UInt8>) -> TerminalSession? {
    var numbers: [Int] = []
    while numbers.count < 9 {
      guard let end = rest.firstIndex(of: UInt8(ascii: " ")),
        let number = Int(String(decoding: rest[..<end], as: UTF8.self)), number >= 0
      else { return nil }
      numbers.append(number)
      rest = rest[(end + 1)...]
    }
    var texts: [String] = []
    for length in numbers[6...] {
      guard length <= rest.count else { return nil }
      texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
      rest = rest.dropFirst(length)
    }
    guard rest.popFirst() == UInt8(ascii: "\n") else { return nil }
    return TerminalSession(
      id: texts[0], name: texts[1], host: "localhost", user: Actor.current, windows: numbers[0],
      attached: numbers[1], createdAt: instant(numbers[2]), activityAt: instant(numbers[3]),
      path: texts[2], width: numbers[4], height: numbers[5])
  }

  /// An instant that tmux tells in seconds.
  private static func instant(_ seconds: Int) -> Timestamp {
    Timestamp(milliseconds: Int64(min(seconds, 1 << 40)) * 1000)
  }
}
