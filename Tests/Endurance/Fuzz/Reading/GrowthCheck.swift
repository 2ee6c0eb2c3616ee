import Foundation
import Reading

/// Whether the work of reading grows as documents do, by the steps that the reader counts.
///
/// Steps are the same on every run and machine. Time is not; it is looked at besides in the long form,
/// for loops that count none.
public enum GrowthCheck {
  /// How often the first part of a family stands in the smallest document: four times as often is
  /// still within the depth that a page may have.
  public static let count = 100
  /// The most steps for a byte, and those that any document may take.
  static let most = (steps: 1500, anyway: 4_000_000)

  /// What is wrong with a family; nil when its documents cost as much as they are long.
  public static func fault(_ family: GrowthFamily, count: Int = count) -> String? {
    let documents = [1, 2, 4].map { family.document(count * $0, each: 4) }
    let steps = documents.map { document in
      let deadline = Deadline(seconds: 60)
      family.read(document, deadline)
      return deadline.steps
    }
    let sizes = documents.map(\.count)
    if steps[2] > family.anyway, let fault = fault(steps: steps, sizes: sizes) {
      return "\(family.name): \(fault), of \(sizes) bytes in \(steps) steps"
    }
    return nil
  }

  /// What is wrong with documents of which each is twice as long as the one before.
  ///
  /// What is added by the last doubling is twice what the first one added where the work is linear,
  /// and four times that where it is quadratic, whatever either begins with.
  public static func fault(steps: [Int], sizes: [Int]) -> String? {
    let (first, second) = (steps[1] - steps[0], steps[2] - steps[1])
    if second * 10 > first * 26 + 80 * sizes[2] { return "grows faster than its documents" }
    if steps[2] > most.steps * sizes[2] + most.anyway { return "takes too many steps a byte" }
    return nil
  }

  /// The same by the CPU time of the thread, with larger documents; what seems too slow is measured
  /// again, the fastest of three times each.
  public static func slowness(_ family: GrowthFamily) -> String? {
    var times: [Double] = []
    for tries in [1, 3] {
      times = [1, 4].map { factor in
        let document = family.document(count * factor, each: 64)
        return (0..<tries).map { _ in seconds { family.read(document, Deadline(seconds: 60)) } }
          .min() ?? 0
      }
      guard times[1] > 0.01, times[1] > 7 * times[0] else { return nil }
    }
    return "\(family.name): four times as long, it takes \(times) s"
  }

  private static func seconds(_ work: () -> Void) -> Double {
    let began = now
    work()
    return now - began
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
