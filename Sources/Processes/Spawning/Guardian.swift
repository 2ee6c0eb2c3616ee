public import Core
public import Foundation

/// A process that ends commands if this process is killed.
///
/// It ends the group of each command, and processes that left the group but still hold an output of
/// a command. The guardian is a shell in a separate group, which reads lines from a pipe: the ID of
/// a new group, `ended` and the ID of a group that is gone, and `done`, which dismisses it. The end
/// of the pipe shows that this process is gone, because no other process holds the writing end.
public final class Guardian: Sendable {
  private static let script = #"""
    trap '' INT TERM HUP QUIT TSTP TTIN TTOU
    groups= outputs=
    while read -r line; do
      case $line in
        done) exit 0 ;;
        holds\ *) outputs=$outputs${outputs:+'\|'}${line#holds } ;;
        ended\ *)
          left=
          for group in $groups; do
            [ "$group" = "${line#ended }" ] || left="$left $group"
          done
          groups=$left
          ;;
        *) groups="$groups $line" ;;
      esac
    done
    [ -n "$groups" ] || exit 0
    strays() {
      [ -n "$outputs" ] || return 0
      ls -l /proc/[0-9]*/fd/[012] | sed -n "s,.* /proc/\([0-9]*\)/fd/[0-9] -> \($outputs\)\$,\1,p"
    }
    tell() {
      for group in $groups; do kill -s "$1" -- "-$group"; done
      for process in $(strays); do kill -s "$1" "$process"; done
    }
    are_there() {
      for group in $groups; do kill -s 0 -- "-$group" && return; done
      [ -n "$(strays)" ]
    }
    tell TERM
    tell CONT
    for i in 1 2 3 4 5 6 7 8 9 10; do
      are_there || exit 0
      sleep 0.2
    done
    tell KILL
    """#

  /// The pipe through which the guardian receives lines, such as the ID of the command's group.
  private let line: Descriptor
  /// The guardian's process ID.
  public let process: pid_t

  /// Starts the guardian.
  ///
  /// The caller must do so before it starts the command.
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
    // If the guardian inherited the writing end of a pipe, that pipe's reader would never see its
    // end.
    spawn.closesOthers = true
    do {
      process = try spawn.start()
    } catch {
      throw Failure(.storageFailed, "cannot start the guardian: \(error.reason)")
    }
    line = pipe.keepWriting()
  }

  /// The descriptor to which the started program writes its process ID before it runs.
  var descriptor: Int32 { line.number }

  /// Sends the names of the command's outputs to the guardian.
  ///
  /// By these names, the guardian finds processes that left the group.
  public func learn(outputs: [Int32]) {
    for output in outputs {
      // Only Linux shows which processes hold a file.
      guard
        let name = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(output)")
      else { continue }
      let pattern = name.replacing("[", with: "\\[").replacing("]", with: "\\]")
      say("holds " + pattern)
    }
  }

  /// Withdraws the given group, because its command has ended.
  ///
  /// This must happen before the command is reaped; afterwards another group may get the ID.
  func withdraw(_ group: pid_t) { say("ended \(group)") }

  /// Dismisses the guardian, because the command has ended.
  ///
  /// Other processes of the command's group continue to run.
  public func dismiss() {
    say("done")
  }

  private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // A pipe accepts this few bytes without blocking, even if the guardian was killed.
    _ = self.line.write(bytes)
  }
}
