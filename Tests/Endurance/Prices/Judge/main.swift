import Catalogue
import Core
import Foundation

// Prices usages for Tests/Endurance/model-prices.sh, which holds the costs against genai-prices: reads a
// JSON object a line and writes the cost of each, or null.

func write(_ cost: Double?) {
  FileHandle.standardOutput.write(Data(((cost.map { "\($0)" } ?? "null") + "\n").utf8))
}

while let line = readLine() {
  guard let asked = JSONObject(line), let day = asked.string("day").flatMap({ Day($0) }) else {
    write(nil)
    continue
  }
  let usage = Usage(
    inputTokens: asked.integer("input") ?? 0, outputTokens: asked.integer("output") ?? 0,
    cacheReadTokens: asked.integer("read") ?? 0, cacheWriteTokens: asked.integer("write") ?? 0)
  let facts = Catalogue.builtIn.facts(
    asked.string("provider") ?? "", asked.string("name") ?? "", on: day)
  let cost = facts.prices?.cost(of: usage, on: day)
  write(cost)
}
