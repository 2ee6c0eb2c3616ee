import Providers
import Testing

/// What pictures are by their bytes.
struct ImageTypeTests {
  @Test(arguments: [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], ImageType.png), ([0xFF, 0xD8, 0xFF], .jpeg),
    (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("GIF87a".utf8), .gif),
    (Array("GIF89a".utf8), .gif), ([0, 0, 0, 32] + Array("ftypavif".utf8), .avif),
    ([0, 0, 0, 32] + Array("ftypavis".utf8), .avif),
  ])
  func `a picture is known by its first bytes`(bytes: [UInt8], type: ImageType) {
    #expect(ImageType(bytes) == type)
    for count in 0..<bytes.count - 1 where type != .webp || count < 12 {
      #expect(ImageType(Array(bytes.prefix(count))) == nil)
    }
  }

  @Test(arguments: ["", "<svg/>", "RIFF....WAVE", "....ftypheic", "GIF88a", "\u{FF}\u{D8}\u{FF}"])
  func `what is no picture of these is none`(text: String) {
    #expect(ImageType(Array(text.utf8)) == nil)
  }
}
