import Foundation
import ReadingFuzz
import TestSupport

// Reads documents that nobody would write, until the time is over or something is wrong.
//
//   reading-fuzz [--grow yes|times] [--seconds N] [--count N] [--seed N] [--from N] [--pages FOLDER]
//     [--state FILE]
//
// Document number N of a seed is the same on every run, given the same pages. Exits 1 at the first
// fault, 3 when a document takes too long; what it is at is in the state file, for when it crashes.
// With --grow, families of documents that grow are read instead, and exit 1 tells of those whose
// reading grows faster; `times` looks at the time as well, which only an optimised build tells.

/// The options and their values; ends the process when there is another.
func parsed(_ arguments: ArraySlice<String>) -> [String: String] {
  var rest = arguments
  var options: [String: String] = [:]
  let names = ["--seconds", "--count", "--seed", "--from", "--pages", "--state", "--grow"]
  while let name = rest.popFirst() {
    guard names.contains(name), let value = rest.popFirst() else {
      print("usage: reading-fuzz [\(names.joined(separator: " X] [")) X]")
      exit(64)
    }
    options[name] = value
  }
  return options
}

// A preloaded library may make the Swift runtime lose all arguments.
guard !CommandLine.arguments.isEmpty else { exit(70) }
let options = parsed(CommandLine.arguments.dropFirst())
let numbers = options.compactMapValues { UInt64($0) }

var pages: [[UInt8]] = []
if let folder = options["--pages"] {
  let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  for path in paths.sorted() where path.hasSuffix(".html") && pages.count < 2000 {
    let bytes = FileManager.default.contents(atPath: folder + "/" + path) ?? Data()
    pages.append(Array(bytes.prefix(1 << 18)))
  }
}

let seed = numbers["--seed"] ?? 1
let input = FuzzInput(pages: pages)
let watch = FuzzWatch(limit: .seconds(600))
let end = ContinuousClock.now + .seconds(Int64(numbers["--seconds"] ?? 10))
let first = numbers["--from"] ?? 0
var place = first
let isCounted = numbers["--count"] != nil

if let grow = options["--grow"] {
  var faults: [String] = []
  func check(_ family: GrowthFamily) {
    faults += watch.watching(family.name) {
      [GrowthCheck.fault(family), grow == "times" ? GrowthCheck.slowness(family) : nil]
        .compactMap(\.self)
    }
  }
  if first == 0 { GrowthFamily.known.forEach(check) }
  while isCounted ? place < first + (numbers["--count"] ?? 0) : ContinuousClock.now < end {
    var random = SeededRandom(seed: seed, place: place)
    check(GrowthFamily.random(&random))
    place += 1
  }
  faults.forEach { print($0) }
  print("\(place - first) families of chance, \(faults.count) faults")
  fflush(nil)
  _exit(faults.isEmpty ? 0 : 1)
}

var bytes = 0
var slowest = (time: Duration.zero, place: first)

while isCounted ? place < first + (numbers["--count"] ?? 0) : ContinuousClock.now < end {
  var random = SeededRandom(seed: seed, place: place)
  let document = input.document(&random)
  if let path = options["--state"] {
    try? Data("\(place)\n".utf8).write(to: URL(filePath: path))
  }
  let began = ContinuousClock.now
  let faults = watch.watching("document \(place) of seed \(seed)") {
    FuzzCheck.faults(document, &random)
  }
  let time = ContinuousClock.now - began
  if time > slowest.time { slowest = (time, place) }
  if !faults.isEmpty {
    print("document \(place) of seed \(seed), \(document.count) bytes:")
    for fault in faults { print("  \(fault)") }
    // A look for leaks at the end would find the document, and say nothing of the fault.
    fflush(nil)
    _exit(1)
  }
  bytes += document.count
  place += 1
}
print(
  "\(place - first) documents of \(bytes / 1000) kB; the slowest, \(slowest.place),",
  "took \(slowest.time)")
