import Foundation
import TestSupport

/// A pseudo-terminal that records every byte, and whose modes are compared with those before a
/// command ran on it.
///
/// Python's standard library creates the terminal: Swift's view of the C library has no portable
/// way.
struct HeldTerminal: Sendable {
  /// The holder's report after the command has ended.
  struct Report: Decodable {
    /// The status of wait(2).
    var status: Int32
    /// `true` if the terminal's own modes (termios(3)) are those of before.
    var isSame: Bool

    var ending: Ending {
      status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }
  }

  private static let program = """
    import fcntl, json, os, select, signal, struct, sys, termios, tty
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 220, 0, 0))
    before = termios.tcgetattr(theirs)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        for stream in 0, 1, 2:
            os.dup2(theirs, stream)
        os.execvp(sys.argv[1], sys.argv[1:])
    print(child, file=sys.stderr, flush=True)
    keys = [0]
    status = None
    end = b"THE-END-OF-WHAT-WAS-SHOWN"
    shown = b""
    while not shown.endswith(end):
        ready = select.select([ours, reading] + keys, [], [])[0]
        if ours in ready:
            piece = os.read(ours, 65536)
            os.write(1, piece)
            shown = (shown + piece)[-len(end):]
        if reading in ready and status is None:
            os.read(reading, 99)
            status = os.waitpid(child, 0)[1]
            after = termios.tcgetattr(theirs)
            # What comes after all that the command wrote, as it is.
            tty.setraw(theirs)
            os.write(theirs, end)
        if 0 in ready:
            typed = os.read(0, 99)
            if typed:
                os.write(ours, typed)
            else:
                keys = []
    print(json.dumps({"status": status, "isSame": after == before}), file=sys.stderr, flush=True)
    """

  /// The holder; its output is that of the terminal.
  private let running: Running

  /// Starts a command on a terminal of its own.
  init(_ scratch: Scratch, _ words: [String]) throws {
    running = try scratch.running(
      ["python3", "-c", Self.program] + words, "held: \(words)", input: nil)
  }

  /// The terminal's output so far.
  var text: String { running.output }

  /// The command's process.
  var process: pid_t? { running.errors.split(separator: "\n").first.flatMap { pid_t($0) } }

  /// Sends the command a signal.
  func signal(_ number: Int32) {
    if let process { kill(process, number) }
  }

  /// Stops reading the terminal's output, or continues.
  func hold(_ isHeld: Bool) { running.child.signal(isHeld ? SIGSTOP : SIGCONT) }

  /// `true` if the command has ended, even if nobody has waited for it.
  var hasEnded: Bool {
    guard let process, let status = FileManager.default.contents(atPath: "/proc/\(process)/stat")
    else { return true }
    return String(decoding: status, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z")
      ?? true
  }

  /// Types keys.
  func type(_ keys: String) { running.writer?.write(keys) }

  /// Waits until the terminal's output contains a text.
  func until(_ text: String) async throws {
    try await running.scratch.until("'\(text)' is shown") { self.text.contains(text) }
  }

  /// Waits for the command's end.
  func ended() async throws -> Report {
    try await running.scratch.until("it has ended") { running.errors.contains("}") }
    _ = await running.ended()
    let line = running.errors.split(separator: "\n").last ?? ""
    return try JSONDecoder().decode(Report.self, from: Data(line.utf8))
  }
}
