import Core
import TestSupport
import Testing

@testable import Schemas

/// Numbers as they are written.
@Suite struct ExactNumberTests {
  private func number(_ value: Double) throws -> ExactNumber {
    try #require(ExactNumber(.double(value)))
  }

  @Test(arguments: [
    (0.1, "0.1"), (-0.0, "0"), (1e22, "1e22"), (12.5, "12.5"), (1.5e-7, "0.00000015"),
    (5e300, "5e300"), (123_456_789, "123456789"), (-2.5e-30, "-25e-31"),
    (1e20, "100000000000000000000"),
  ])
  func `a number is told as it is written`(value: Double, expected: String) throws {
    #expect(try number(value).description == expected)
  }

  @Test func `what is no number is none`() {
    #expect(ExactNumber(.double(.nan)) == nil)
    #expect(ExactNumber(.double(.infinity)) == nil)
    #expect(ExactNumber(.string("1")) == nil)
  }

  @Test func `the largest whole numbers keep all their digits`() throws {
    let most = try #require(ExactNumber(.int(.max)))
    let next = try #require(ExactNumber(.int(.max - 1)))
    let least = try #require(ExactNumber(.int(.min)))
    #expect(next < most && least < next && most.description == "9223372036854775807")
    #expect(least.description == "-9223372036854775808")
    #expect(try most < number(1e19) && number(-1e19) < least)
  }

  @Test func `hundredths are compared and divided as whole numbers are`() throws {
    var generator = SeededRandom(seed: 2020)
    for _ in 0..<2_000 {
      let one = Int.random(in: -100_000...100_000, using: &generator)
      let other = Int.random(in: 1...500, using: &generator)
      let (first, second) = try (number(Double(one) / 100), number(Double(other) / 100))
      #expect(first.isMultiple(of: second) == (one % other == 0), "\(one) \(other)")
      #expect((first < second) == (one < other), "\(one) \(other)")
      #expect((first == second) == (one == other), "\(one) \(other)")
    }
  }
}
