import Foundation
import Reading

// Writes what a training of the content model reads: for each page named on stdin a line of JSON
// to stdout with the words of its blocks, and their features to the file named as the operand.
guard CommandLine.arguments.count == 2,
  FileManager.default.createFile(atPath: CommandLine.arguments[1], contents: nil),
  let features = FileHandle(forWritingAtPath: CommandLine.arguments[1])
else {
  FileHandle.standardError.write(Data("usage: content-training FEATURES < PATHS\n".utf8))
  exit(64)
}
struct Row: Encodable {
  var path: String
  var columns: Int
  var texts: [String]
  var page: [Float]
}
while let path = readLine() {
  guard let html = FileManager.default.contents(atPath: path) else { continue }
  let page = try ContentTraining(html: Array(html), options: ReadOptions(maximumCharacters: 0))
  let row = Row(path: path, columns: page.columns, texts: page.texts, page: page.page)
  var line = try JSONEncoder().encode(row)
  line.append(0x0A)
  FileHandle.standardOutput.write(line)
  features.write(page.values.withUnsafeBytes { Data($0) })
}
