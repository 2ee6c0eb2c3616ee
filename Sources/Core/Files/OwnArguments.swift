import Foundation

/// The arguments of this process.
///
/// On Linux, the Swift runtime looks for the arguments next to `environ`, on the stack. A preloaded
/// library, such as libfaketime, may add a variable with setenv(3) while the runtime starts.
/// `environ` is then on the heap, and `CommandLine` is empty. The arguments are therefore read from
/// `/proc/self/cmdline` (proc(5)) if `CommandLine` is empty.
public enum OwnArguments {
  /// The failure of a process whose arguments cannot be read.
  public static let unreadable = Failure(
    .storageFailed, "cannot read the arguments: '\(path)' is missing or empty", input: path,
    nextStep: "mount /proc, or start the tool without LD_PRELOAD")

  /// The arguments as C strings, which may not be UTF-8, beginning with the program's name.
  ///
  /// The list is empty if the arguments cannot be read.
  public static let strings: [[CChar]] = CommandLine.argc > 0 ? given : recorded

  /// The arguments as text, beginning with the program's name.
  ///
  /// The list is empty if the arguments cannot be read.
  public static let words: [String] = strings.map { string in
    String(decoding: string.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }

  private static let path = "/proc/self/cmdline"

  private static var given: [[CChar]] {
    // A null pointer follows the last argument.
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
      .compactMap { $0.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) } }
  }

  private static var recorded: [[CChar]] {
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC))
    // The arguments of a program take at most 6 MiB (execve(2)).
    guard file.isOpen, let bytes = file.bytes(atMost: 1 << 23) else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { word in
      word.map { CChar(truncatingIfNeeded: $0) } + [0]
    }
  }
}
