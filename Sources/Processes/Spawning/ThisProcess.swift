import CProcess
import Core
import Foundation

/// System settings of this process and of the calling thread.
public enum ThisProcess {
  /// Makes this process adopt its orphaned descendants (prctl(2)).
  ///
  /// On systems other than Linux, init adopts them.
  public static func adoptOrphans() {
    // If the kernel lacks this call, init adopts orphans.
    _ = process_adopt_orphans()
  }

  /// Makes free memory go back to the system: large blocks at once (mallopt(3)), and other memory
  /// within a second (malloc_trim(3)).
  ///
  /// This saves memory in a long-running process that receives large bodies. Bodies that arrive
  /// together leave free memory between blocks that are in use, which free(3) does not return.
  public static func returnMemory() {
    process_return_large_blocks()
    let thread = Thread {
      while true {
        Thread.sleep(forTimeInterval: 1)
        process_return_free_memory()
      }
    }
    thread.stackSize = 64 << 10
    thread.start()
  }

  /// Disables core dumps for this process.
  public static func leaveNoCore() { process_leave_no_core() }

  /// Gives the calling thread the priority of the main thread.
  ///
  /// Programs that the thread starts inherit this priority.
  public static func useMainPriority() { process_use_main_priority() }

  /// Lowers the calling thread's priority on Linux; has no effect elsewhere.
  public static func useLowPriority() { process_use_low_priority() }

  /// Sets the capacity of the given pipe to the given number of bytes, if the system allows it.
  public static func setCapacity(ofPipe descriptor: Int32, to bytes: Int32) {
    process_use_pipe_size(descriptor, bytes)
  }
}

/// A descriptor of another process, which never refers to a later process with the same id
/// (pidfd_open(2)).
final class ProcessDescriptor {
  private let descriptor: Descriptor

  /// Opens a descriptor of the given process.
  ///
  /// It is nil if the process does not exist, and on systems other than Linux.
  init?(of id: pid_t) {
    var number: Int32 = -1
    guard process_open_other(id, &number) == 0 else { return nil }
    descriptor = Descriptor(number)
  }

  /// Sends the given signal to the process; returns `true` if the process received it.
  func send(_ number: Int32) -> Bool { process_signal_other(descriptor.number, number) == 0 }
}
