import CProcess

/// System settings of this process and of the calling thread.
public enum ThisProcess {
  /// Makes orphaned descendants children of this process (prctl(2)); on systems other than Linux,
  /// init adopts them.
  public static func adoptOrphans() {
    // A kernel without this call leaves orphans to init.
    _ = process_adopt_orphans()
  }

  /// Returns large blocks of memory to the system as soon as they are freed (mallopt(3)), for a
  /// long-running process that receives large bodies.
  public static func returnLargeBlocks() { process_return_large_blocks() }

  /// Disables core dumps for this process.
  public static func leaveNoCore() { process_leave_no_core() }

  /// Gives the calling thread the main thread's priority, which programs that it starts inherit.
  public static func useMainPriority() { process_use_main_priority() }

  /// Lowers the calling thread's priority on Linux; elsewhere its priority is unchanged.
  public static func useLowPriority() { process_use_low_priority() }

  /// Sets the capacity of a pipe, if the system allows it.
  public static func setCapacity(ofPipe descriptor: Int32, to bytes: Int32) {
    process_use_pipe_size(descriptor, bytes)
  }
}
