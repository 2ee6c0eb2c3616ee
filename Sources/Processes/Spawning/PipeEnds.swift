public import Core
import Foundation

/// The two ends of a pipe (pipe(2)), which no program that is started gets by accident.
public struct PipeEnds: ~Copyable, Sendable {
  /// What is written can be read here.
  public let reading: Descriptor
  /// Where it is written.
  public let writing: Descriptor

  /// Makes a pipe.
  ///
  /// - Throws: `StorageFailed` when the process has too many files open.
  public init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(.storageFailed, "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    // This fails for no open descriptor.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = Descriptor(ends[0])
    writing = Descriptor(ends[1])
  }

  /// Closes the writing end, and hands over the other.
  public consuming func keepReading() -> Descriptor { reading }

  /// Closes the reading end, and hands over the other.
  public consuming func keepWriting() -> Descriptor { writing }

  /// Gives both ends away: nobody but the taker closes them.
  public consuming func release() -> (reading: Int32, writing: Int32) {
    (reading.release(), writing.release())
  }
}
