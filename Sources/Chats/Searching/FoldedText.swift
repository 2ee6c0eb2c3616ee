import Foundation

/// The searchable form of a text.
///
/// It consists of the text's words in lower case, without diacritics, in UTF-8. A space stands
/// before and after each word. Letters of scripts without spaces between words, and symbols such as
/// emoji, count as words.
enum FoldedText {
  static let space = UInt8(ascii: " ")

  /// The replacements of letters that Unicode decomposition leaves unchanged.
  private static let others: [Unicode.Scalar: String] = [
    "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
    "ς": "σ", "ħ": "h", "ŧ": "t",
  ]

  /// The lower-case form of each ASCII byte that belongs to a word, and 0 for any other byte.
  private static let folded: [UInt8] = (0..<128).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(byte) | 0x20
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte)
    default: 0
    }
  }

  /// Returns the searchable form of the given text; a single space if the text has no words.
  static func words(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { bytes in
      bytes.allSatisfy { $0 < 0x80 }
        ? ascii(bytes) : scalars(String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func ascii(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: bytes.count + 2) { result, count in
      result[0] = space
      count = 1
      folded.withUnsafeBufferPointer { folded in
        for byte in bytes {
          let letter = folded[Int(byte)]
          if letter != 0 {
            result[count] = letter
            count += 1
          } else if result[count - 1] != space {
            result[count] = space
            count += 1
          }
        }
      }
      if result[count - 1] != space {
        result[count] = space
        count += 1
      }
    }
  }

  private static func scalars(_ text: String) -> [UInt8] {
    var result = [space]
    func end() { if result.last != space { result.append(space) } }
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
      if scalar.isASCII {
        let letter = folded[Int(scalar.value)]
        if letter == 0 { end() } else { result.append(letter) }
        continue
      }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: continue
      case .spacingMark: result += String(scalar).utf8
      default:
        if standsAlone(scalar) {
          end()
          result += String(scalar).utf8
          result.append(space)
        } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
          for small in scalar.properties.lowercaseMapping.unicodeScalars {
            if small.properties.generalCategory == .nonspacingMark { continue }
            result += (others[small] ?? String(small)).utf8
          }
        } else {
          end()
        }
      }
    }
    end()
    return result
  }

  private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    // Kana, Thai, Lao, Burmese and Khmer.
    switch scalar.value {
    case 0x3040...0x30FF, 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
    default: scalar.properties.isIdeographic || scalar.properties.generalCategory == .otherSymbol
    }
  }
}
