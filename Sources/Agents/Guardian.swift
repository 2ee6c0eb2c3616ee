import CProcess
import Core
import Foundation

/// Ends the command's group when this process is killed, which no process can do for itself, and with
/// it whoever left the group and still holds an output of the command.
///
/// A shell that waits, in a group of its own, for a line on a pipe that only this process holds. The
/// line tells it that there is nothing to do; the end of the pipe, that this process is gone.
struct Guardian: Sendable {
  private static let script = #"""
    trap '' INT TERM HUP QUIT TSTP TTIN TTOU
    group= outputs=
    while read -r line; do
      case $line in
        done) exit 0 ;;
        holds\ *) outputs=$outputs${outputs:+'\|'}${line#holds } ;;
        *) group=$line ;;
      esac
    done
    [ -n "$group" ] || exit 0
    strays() {
      [ -n "$outputs" ] || return 0
      ls -l /proc/[0-9]*/fd/[012] | sed -n "s,.* /proc/\([0-9]*\)/fd/[0-9] -> \($outputs\)\$,\1,p"
    }
    tell() {
      kill -s "$1" -- "-$group"
      for process in $(strays); do kill -s "$1" "$process"; done
    }
    tell TERM
    tell CONT
    for i in 1 2 3 4 5 6 7 8 9 10; do
      kill -s 0 -- "-$group" || [ -n "$(strays)" ] || exit 0
      sleep 0.2
    done
    tell KILL
    """#

  /// Where the group is named that is to be ended if this process is killed, as a line.
  let descriptor: Int32
  /// The process that it is.
  let process: pid_t

  /// Starts it, before there is a group to watch over.
  ///
  /// - Throws: `StorageFailed` when it cannot be started.
  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.failure(errno) }
    // This fails for no open descriptor.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // What it kept open, a reader of it would wait for.
    _ = process_add_close_from(&actions, 3)
    Self.useOwnGroup(&attributes)
    var process = pid_t()
    let words = ["sh", "-c", Self.script]
    let paths = ["PATH=/usr/bin:/bin"]
    var argv = words.map { strdup($0) } + [nil]
    var variables = paths.map { strdup($0) } + [nil]
    defer { for text in argv + variables { free(text) } }
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, &argv, &variables)
    guard code == 0 else {
      close(ends[1])
      throw Self.failure(code)
    }
    descriptor = ends[1]
    self.process = process
  }

  /// Lets it know what the command is given to write to, by which it knows its processes.
  func learn(outputs: [Int32]) {
    for output in outputs {
      // Elsewhere than on Linux nothing tells who holds what.
      guard
        let name = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(output)")
      else { continue }
      let pattern = name.replacing("[", with: "\\[").replacing("]", with: "\\]")
      say("holds " + pattern)
    }
  }

  /// The command has ended by itself; what is left of its group is left alone.
  func dismiss() {
    say("done")
  }

  private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // A pipe takes so few bytes at once; a guardian that somebody killed reads none.
    _ = write(descriptor, bytes, bytes.count)
  }

  /// A group of its own, no blocked signals, and the default for those that every tool ignores.
  private static func useOwnGroup(_ attributes: inout posix_spawnattr_t) {
    var defaults = sigset_t()
    var none = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
  }

  private static func failure(_ code: Int32) -> Failure {
    Failure(.storageFailed, "cannot start the guardian: \(String(cString: strerror(code)))")
  }
}
