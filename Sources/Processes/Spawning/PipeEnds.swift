public import Core
import Foundation

/// The two ends of a pipe (pipe(2)).
///
/// Both are closed on exec, so that no started program inherits them.
public struct PipeEnds: ~Copyable, Sendable {
  /// The reading end of the pipe.
  public let reading: Descriptor
  /// The writing end of the pipe.
  public let writing: Descriptor

  /// Creates a pipe.
  ///
  /// - Throws: `StorageFailed` if the process has too many files open.
  public init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(.storageFailed, "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    // fcntl cannot fail here, because the descriptors are open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = Descriptor(ends[0])
    writing = Descriptor(ends[1])
  }

  /// Closes the writing end and returns the reading end.
  public consuming func keepReading() -> Descriptor { reading }

  /// Closes the reading end and returns the writing end.
  public consuming func keepWriting() -> Descriptor { writing }

  /// Returns both ends without closing them.
  ///
  /// The caller must close them.
  public consuming func release() -> (reading: Int32, writing: Int32) {
    (reading.release(), writing.release())
  }
}
