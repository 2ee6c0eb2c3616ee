public import Core
public import Foundation

/// A process that ends the command's group if this process is killed, along with processes that
/// left the group and still hold an output of the command.
///
/// The guardian is a shell, in a group of its own, that reads lines from a pipe whose other end
/// only this process holds. The line `done` dismisses it; the end of the pipe means that this
/// process is gone.
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

  /// The pipe that carries the group's ID to the guardian, as a line.
  private let line: Descriptor
  /// The guardian's process ID.
  public let process: pid_t

  /// Starts the guardian, before there is a group to watch.
  ///
  /// - Throws: `StorageFailed` if the guardian cannot be started.
  public init() throws(Failure) {
    let pipe = try PipeEnds()
    let nowhere = Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
    var spawn = Spawn(.words(["/bin/sh", "-c", Self.script]))
    spawn.environment = ["PATH": "/usr/bin:/bin"]
    (spawn.input, spawn.output, spawn.errors) = (
      pipe.reading.number, nowhere.number, nowhere.number
    )
    spawn.hasOwnGroup = true
    // If the guardian held one of our pipes open, its reader would never see the end.
    spawn.closesOthers = true
    do {
      process = try spawn.start()
    } catch {
      throw Failure(.storageFailed, "cannot start the guardian: \(error.reason)")
    }
    line = pipe.keepWriting()
  }

  /// The descriptor on which a program reports its process ID just before it runs.
  var descriptor: Int32 { line.number }

  /// Sends the guardian the names of the command's outputs, by which it finds processes that left
  /// the group.
  public func learn(outputs: [Int32]) {
    for output in outputs {
      // Only Linux shows which process holds which file.
      guard
        let name = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(output)")
      else { continue }
      let pattern = name.replacing("[", with: "\\[").replacing("]", with: "\\]")
      say("holds " + pattern)
    }
  }

  /// Dismisses the guardian, because the command ended by itself; the rest of its group keeps
  /// running.
  public func dismiss() {
    say("done")
  }

  private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // A pipe holds this few bytes without blocking; a guardian that was killed reads none.
    _ = self.line.write(bytes)
  }
}
