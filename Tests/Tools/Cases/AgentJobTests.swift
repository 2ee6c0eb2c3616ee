import Foundation
import TestSupport
import Testing

/// Commands that stop, and the terminal that they stop for.
@Suite("agent-run's jobs")
struct AgentJobTests {
  /// A program that does as top(1): it catches the stop signals of terminals and stops by SIGSTOP.
  ///
  /// An interrupted change of modes ends it. With the argument `late` it reads first, and stops for
  /// that only after its group got the terminal.
  private static let screen = """
    import os, signal, sys, termios
    tty = os.open("/dev/tty", os.O_RDWR)
    def stop(number, frame):
        while "late" in sys.argv and os.tcgetpgrp(tty) != os.getpgrp():
            os.sched_yield()
        os.kill(os.getpid(), signal.SIGSTOP)
    for number in signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU:
        signal.signal(number, stop)
    if "late" in sys.argv:
        os.set_blocking(tty, False)
        try:
            os.read(tty, 1)
        except BlockingIOError:
            os.set_blocking(tty, True)
    termios.tcsetattr(tty, termios.TCSANOW, termios.tcgetattr(tty))
    print("shown", flush=True)
    if "read" in sys.argv:
        print("got", os.read(tty, 99).decode().strip(), flush=True)

    """

  @Test(
    arguments: [
      "agent-run -- python3 screen.py | head -3",
      "agent-run -- sh -c 'python3 screen.py late; exit 0' | head -3",
    ])
  func `a full-screen program in a pipeline gets the terminal`(line: String) async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/screen.py", Self.screen)
      let terminal = try Terminal(scratch, "set -m; \(line); echo ended")
      #expect(await terminal.running.ended().output == "shown\r\nended\r\n")
    }
  }

  @Test func `control-Z stops a full-screen program and fg goes on with it`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/screen.py", Self.screen)
      let terminal = try Terminal(
        scratch,
        "set -m; agent-run -- python3 screen.py read; echo stopped; read -r y; fg; echo \"then $?\""
      )
      try await scratch.until("it runs") { terminal.text.contains("shown") }
      terminal.running.writer?.write("\u{1A}")
      try await scratch.until("it is stopped") { terminal.text.contains("stopped\r\n") }
      terminal.type("")
      terminal.type("hello")
      try await scratch.until("it ended") { terminal.text.contains("then 0") }
      #expect(terminal.text.contains("got hello\r\n"))
    }
  }

  @Test func `the first control-C ends a paused command`() async throws {
    try await Scratch.with { scratch in
      let terminal = try Terminal(
        scratch, "set -m; agent-run --agent a -- sh -c 'echo ready; exec sleep 600'")
      try await scratch.until("it runs") { terminal.text.contains("ready") }
      let paused = try await scratch.shell("agent-control pause agent a --reason 'look' --wait 4m")
      #expect(paused.records("controlReceipt").map { $0["outcome"] } == ["applied"])
      terminal.running.writer?.write("\u{3}")
      try await scratch.until("it ended") { terminal.running.child.hasEnded }
      let stat = try await scratch.shell("agent-stat agents")
      #expect(stat.records("agent").map(\.status) == ["terminated"])
    }
  }

  @Test func `the first SIGINT ends a command that somebody stopped`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--agent", "a", "--", "sh", "-c", "echo $$; exec sleep 600")
      try await scratch.until("it runs") { running.output.hasSuffix("\n") }
      let id = try #require(pid_t(running.output.split(separator: "\n")[0]))
      kill(id, SIGSTOP)
      var status = ""
      while status != "paused" {
        status = try await scratch.shell("agent-stat agents").records("agent").first?.status ?? ""
      }
      running.child.signal(SIGINT)
      #expect(await running.ended().endings == [.signal(SIGINT)])
    }
  }
}
