import Command
import Core
import Foundation
import TOML

// Judges documents for Tests/Endurance/fuzz-configuration.sh, which holds the verdicts against those of
// Python's tomllib: reads them from standard input, each behind a line with its number of bytes, and
// writes one line of JSON for each.

/// A value as toml-test writes it, its floats as their bits.
func described(_ value: TOMLValue) -> Any {
  switch value {
  case .string(let text): ["string", text]
  case .integer(let number): ["integer", String(number)]
  case .float(let number): ["float", number.isNaN ? "nan" : String(number.bitPattern, radix: 16)]
  case .boolean(let flag): ["boolean", flag]
  case .instant(let text): ["instant", text]
  case .array(let items): ["array", items.map { described($0.value) }]
  case .table(let table):
    // Not by name: names that only Unicode holds for equal would be one.
    ["table", table.entries.map { [$0.name.text, described($0.item.value)] }]
  }
}

/// What is told of a document.
func verdict(_ document: [UInt8]) -> [String: Any] {
  let table: TOMLTable
  do throws(TOMLFault) {
    table = try TOMLReader.read(document)
  } catch {
    return ["line": error.line, "column": error.column ?? 0, "reason": error.reason]
  }
  var verdict: [String: Any] = ["value": described(.table(table))]
  do throws(Failure) {
    _ = try ConfigurationFile.configuration(document, "config.toml")
    verdict["setting"] = ""
  } catch {
    verdict["setting"] = "\(error.input ?? ""): \(error.explanation)"
    verdict["code"] = error.code.rawValue
  }
  return verdict
}

// The verdicts are written one by one: after a crash their number tells which document it was.
var input = [UInt8](FileHandle.standardInput.readDataToEndOfFile())[...]
while let end = input.firstIndex(of: 0x0A) {
  guard let count = Int(String(decoding: input[..<end], as: UTF8.self)),
    count < input.endIndex - end
  else { exit(65) }
  let document = input[(end + 1)...].prefix(count)
  input = input[document.endIndex...]
  let line = try JSONSerialization.data(withJSONObject: verdict(Array(document)))
  try FileHandle.standardOutput.write(contentsOf: line + [0x0A])
}
