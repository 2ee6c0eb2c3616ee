import Foundation

/// A ranking of sentences by their relevance to a query.
///
/// Relevance is Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009)
/// with each sentence as a document, plus a share of the similarity to the text's centroid (Radev
/// et al., "Centroid-based summarization", 2004). That share decides if no sentence contains a word
/// of the query. Maximal marginal relevance (Carbonell and Goldstein, 1998) avoids repetition.
struct Ranking {
  private static let saturation = 1.2
  private static let lengthShare = 0.75
  private static let centroidShare = 0.3
  /// The minimum relevance of a sentence on the subject, as a share of the best sentence's
  /// relevance.
  ///
  /// Without it, one common word would be enough.
  private static let subjectShare = 0.3
  /// The share of relevance, against novelty, in maximal marginal relevance (lambda in the paper).
  private static let relevanceShare = 0.7
  /// The number of candidates for each requested sentence.
  ///
  /// More candidates would cost time and are never selected.
  private static let candidates = 8

  private let terms: [[String]]
  private let weights: [String: Double]
  /// The relevance of each sentence, a number from 0 to about 1.3.
  let scores: [Double]
  /// For each sentence, `true` if it contains enough words of the query.
  let isOnSubject: [Bool]

  /// Creates a ranking of the given sentences.
  ///
  /// - Parameters:
  ///   - texts: The sentences.
  ///   - query: The terms of the query, from ``TextTerms/terms(_:)``.
  init(_ texts: [String], query: [String]) {
    let terms = texts.map(TextTerms.terms)
    var frequency: [String: Int] = [:]
    for sentence in terms { for term in Set(sentence) { frequency[term, default: 0] += 1 } }
    let count = Double(texts.count)
    let weights = frequency.mapValues { log(1 + (count - Double($0) + 0.5) / (Double($0) + 0.5)) }
    let average = max(Double(terms.reduce(0) { $0 + $1.count }) / max(count, 1), 1)
    let wanted = Set(query)

    var relevance: [Double] = []
    for sentence in terms {
      var counts: [String: Double] = [:]
      for term in sentence where wanted.contains(term) { counts[term, default: 0] += 1 }
      let length = 1 - Self.lengthShare + Self.lengthShare * Double(sentence.count) / average
      // The order of the sum is fixed, because a sum of floating-point numbers depends on it and
      // the answer must be reproducible.
      relevance.append(
        counts.sorted { $0.key < $1.key }.reduce(0) { sum, entry in
          let share =
            entry.value * (Self.saturation + 1)
            / (entry.value + Self.saturation * length)
          return sum + (weights[entry.key] ?? 0) * share
        })
    }
    let centrality = terms.map { sentence in
      let distinct = Set(sentence).filter { (frequency[$0] ?? 0) > 1 }.sorted()
      let sum = distinct.reduce(0.0) { $0 + Double(frequency[$1] ?? 0) * (weights[$1] ?? 0) }
      return sum / (Double(sentence.count) + 8)
    }
    let best = max(relevance.max() ?? 0, .leastNonzeroMagnitude)
    let mostCentral = max(centrality.max() ?? 0, .leastNonzeroMagnitude)
    let standing = zip(texts, terms).map { Self.standing($0, terms: $1.count) }
    scores = texts.indices.map { index in
      (relevance[index] / best + Self.centroidShare * centrality[index] / mostCentral)
        * standing[index]
    }
    isOnSubject = zip(relevance, standing).map { $0 > 0 && $0 * $1 >= Self.subjectShare * best }
    self.terms = terms
    self.weights = weights
  }

  /// Returns a factor for the relevance of the given sentence.
  ///
  /// It is lower if the sentence is very short, refers to other text, or asks a question.
  private static func standing(_ text: String, terms: Int) -> Double {
    var share = terms < 4 ? 0.7 : 1
    let first = text.prefix { !$0.isWhitespace }.lowercased().filter { $0.isLetter }
    if backward.contains(first) { share *= 0.8 }
    let lower = text.prefix(200).lowercased()
    if pointers.contains(where: lower.contains) { share *= 0.25 }
    if text.hasSuffix("?") { share *= 0.7 }
    if text.hasSuffix(":") { share *= 0.6 }
    return share
  }

  private static let backward: Set<String> = [
    "this", "these", "that", "thats", "those", "it", "they", "but", "however", "so", "thus", "and",
    "first", "second", "finally", "also", "we", "well", "i", "id", "he", "she",
  ]
  /// Phrases with which a sentence refers the reader to other text.
  private static let pointers = [
    "see the ", "see also", "see below", "check the ", "check out", "for more ", "for detailed ",
    "learn more", "read more", "refer to ", "read the ", "the following", "listed below",
  ]

  /// Returns the best sentences, without repetitions.
  ///
  /// The best sentence is first.
  ///
  /// - Parameters:
  ///   - count: The number of sentences to select.
  ///   - allowed: A function that returns `true` if the given sentence may be selected, given the
  ///     sentences that were selected so far. Sentences are given by their indices.
  /// - Returns: The indices of the sentences.
  func best(_ count: Int, where allowed: (Int, [Int]) -> Bool = { _, _ in true }) -> [Int] {
    var pool = Array(
      scores.indices.filter { scores[$0] > 0 }
        .sorted { scores[$0] == scores[$1] ? $0 < $1 : scores[$0] > scores[$1] }
        .prefix(count * Self.candidates))
    let vectors = Dictionary(uniqueKeysWithValues: pool.map { ($0, vector($0)) })
    // The similarity of each candidate to the nearest selected sentence.
    var likeness: [Int: Double] = [:]
    var chosen: [Int] = []
    while chosen.count < count, !pool.isEmpty {
      func value(_ index: Int) -> Double {
        Self.relevanceShare * scores[index] - (1 - Self.relevanceShare) * (likeness[index] ?? 0)
      }
      // `pool` stays sorted, so that the earliest of equal candidates wins.
      guard let place = pool.indices.max(by: { value(pool[$0]) < value(pool[$1]) }) else { break }
      let index = pool.remove(at: place)
      // A near-duplicate is skipped whatever its relevance.
      guard (likeness[index] ?? 0) < 0.8, allowed(index, chosen) else { continue }
      chosen.append(index)
      for other in pool {
        let value = Self.cosine(vectors[index] ?? [:], vectors[other] ?? [:])
        likeness[other] = max(likeness[other] ?? 0, value)
      }
    }
    return chosen
  }

  private func vector(_ index: Int) -> [String: Double] {
    var vector: [String: Double] = [:]
    for term in terms[index] { vector[term, default: 0] += weights[term] ?? 0 }
    let norm = vector.values.sorted().reduce(0) { $0 + $1 * $1 }.squareRoot()
    return norm > 0 ? vector.mapValues { $0 / norm } : [:]
  }

  private static func cosine(_ left: [String: Double], _ right: [String: Double]) -> Double {
    let (few, many) = left.count < right.count ? (left, right) : (right, left)
    return few.compactMap { term, value in many[term].map { $0 * value } }.sorted().reduce(0, +)
  }
}
