/// A control sequence (ECMA-48, section 5.4): the bytes after `CSI`.
public struct ControlSequence: Sendable, Equatable {
  /// The `<`, `=`, `>` or `?` before the parameters; 0 if there is none.
  public let prefix: UInt8
  /// The parameters; each is a list of values that colons separate.
  ///
  /// A value without digits is -1.
  public let parameters: [[Int]]
  /// The bytes between the parameters and the final byte, such as a space.
  public let intermediates: [UInt8]
  /// The byte that ends the sequence and names its function.
  public let final: UInt8

  /// Parses a control sequence; returns nil if it is malformed or has a number of more than five
  /// digits.
  ///
  /// - Parameters:
  ///   - bytes: The bytes between `CSI` and the final byte.
  ///   - final: The final byte.
  public init?(_ bytes: some Collection<UInt8>, _ final: UInt8) {
    guard 0x40...0x7E ~= final else { return nil }
    var rest = bytes[...]
    if let first = rest.first, 0x3C...0x3F ~= first {
      prefix = first
      rest = rest.dropFirst()
    } else {
      prefix = 0
    }
    var parameters: [[Int]] = []
    var values = [-1]
    var last = -1
    var isEmpty = true
    while let byte = rest.first, 0x30...0x3B ~= byte {
      rest = rest.dropFirst()
      isEmpty = false
      switch byte {
      case UInt8(ascii: ";"):
        parameters.append(values)
        values = [-1]
        last = -1
      case UInt8(ascii: ":"):
        values.append(-1)
        last = -1
      default:
        last = max(0, last) * 10 + Int(byte & 0xF)
        guard last < 100_000 else { return nil }
        values[values.count - 1] = last
      }
    }
    if !isEmpty { parameters.append(values) }
    guard rest.allSatisfy({ 0x20...0x2F ~= $0 }) else { return nil }
    self.parameters = parameters
    intermediates = Array(rest)
    self.final = final
  }

  /// Returns the first value of the parameter at `index`; -1 if it is absent.
  public func value(_ index: Int) -> Int {
    index < parameters.count ? parameters[index][0] : -1
  }
}
