import CProcess

/// What this process, and the thread that calls, ask of the system for themselves.
public enum ThisProcess {
  /// Makes orphans among this process's descendants its children (prctl(2)); elsewhere than on Linux
  /// they stay init's.
  public static func adoptOrphans() {
    // A kernel that has no such thing leaves them to init.
    _ = process_adopt_orphans()
  }

  /// Lets large blocks of memory go back to the system as soon as they are freed (mallopt(3)), for a
  /// process that runs for long and takes in large bodies.
  public static func returnLargeBlocks() { process_return_large_blocks() }

  /// Lets this process die without a core.
  public static func leaveNoCore() { process_leave_no_core() }

  /// Gives the calling thread the main thread's priority: a program that it starts inherits it.
  public static func useMainPriority() { process_use_main_priority() }

  /// Lets the calling thread work when others do not; elsewhere than on Linux it is as before.
  public static func useLowPriority() { process_use_low_priority() }

  /// Lets a pipe take so many bytes that nobody has read yet, where the system allows that.
  public static func setCapacity(ofPipe descriptor: Int32, to bytes: Int32) {
    process_use_pipe_size(descriptor, bytes)
  }
}
