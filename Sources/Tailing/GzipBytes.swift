public import Core
import Events

/// An event source that reads bytes in memory.
final class BytesSource: EventSource {
  let name: String
  private var rest: ArraySlice<UInt8>

  /// Creates a source of the given bytes.
  init(_ bytes: [UInt8], name: String) {
    self.name = name
    rest = bytes[...]
  }

  func isReady(within milliseconds: Int32) -> Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(rest.count, buffer.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest = rest.dropFirst(count)
    return count
  }
}

/// Decompression of gzip data (RFC 1952) in memory.
public enum GzipBytes {
  /// Unpacks the given bytes.
  ///
  /// - Parameters:
  ///   - bytes: The gzip data.
  ///   - limit: The largest number of unpacked bytes.
  ///   - name: The name of the data in messages.
  /// - Returns: The unpacked bytes.
  /// - Throws: `BadInput` if the data is damaged; `BadInput` of kind `tooLarge` if the unpacked
  ///   bytes exceed `limit`.
  public static func unpacked(
    _ bytes: [UInt8], upTo limit: Int, name: String
  ) throws(Failure) -> [UInt8] {
    let source = try GzipSource(BytesSource(bytes, name: name))
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let outcome: Result<Int, Failure> = chunk.withUnsafeMutableBytes { buffer in
        do throws(Failure) {
          return .success(try source.read(into: buffer))
        } catch {
          return .failure(error)
        }
      }
      let count = try outcome.get()
      guard count > 0 else { return result }
      result += chunk[..<count]
      guard result.count <= limit else {
        throw Failure(
          .badInput, "\(name) expands to more than \(limit) bytes", kind: .tooLarge, input: name)
      }
    }
  }
}
