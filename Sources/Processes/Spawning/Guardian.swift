public import Core
public import Foundation

/// Ends the command's group when this process is killed, which no process can do for itself, and with
/// it whoever left the group and still holds an output of the command.
///
/// A shell that waits, in a group of its own, for a line on a pipe that only this process holds. The
/// line tells it that there is nothing to do; the end of the pipe, that this process is gone.
public final class Guardian: Sendable {
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
  private let line: Descriptor
  /// The process that it is.
  public let process: pid_t

  /// Starts it, before there is a group to watch over.
  ///
  /// - Throws: `StorageFailed` when it cannot be started.
  public init() throws(Failure) {
    let pipe = try PipeEnds()
    let nowhere = Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
    var spawn = Spawn(.words(["/bin/sh", "-c", Self.script]))
    spawn.environment = ["PATH": "/usr/bin:/bin"]
    (spawn.input, spawn.output, spawn.errors) = (
      pipe.reading.number, nowhere.number, nowhere.number
    )
    spawn.hasOwnGroup = true
    // What it kept open, a reader of it would wait for.
    spawn.closesOthers = true
    do {
      process = try spawn.start()
    } catch {
      throw Failure(.storageFailed, "cannot start the guardian: \(error.reason)")
    }
    line = pipe.keepWriting()
  }

  /// Where a program that is about to run names itself.
  var descriptor: Int32 { line.number }

  /// Lets it know what the command is given to write to, by which it knows its processes.
  public func learn(outputs: [Int32]) {
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
  public func dismiss() {
    say("done")
  }

  private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // A pipe takes so few bytes at once; a guardian that somebody killed reads none.
    _ = self.line.write(bytes)
  }
}
