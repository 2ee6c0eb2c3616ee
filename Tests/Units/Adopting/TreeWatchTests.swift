import Foundation
import TestSupport
import Testing

@testable import Adopting

#if os(Linux)
  /// The watch on folders.
  struct TreeWatchTests {
    private let home: Home

    init() throws { home = try Home() }

    private func make(_ folder: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(home.path)/\(folder)", withIntermediateDirectories: true)
    }

    private func names(_ paths: Set<String>) -> [String] {
      paths.map { String($0.dropFirst(home.path.count + 1)) }.sorted()
    }

    @Test func `files of all folders are named, also of those that are made later`() throws {
      try make("a/b")
      _ = try home.file("a/b/old", "")
      var watch = TreeWatch()
      let old = watch.add(home.path, deep: true)
      #expect(names(old) == ["a/b/old"])
      let none = watch.changes().files
      #expect(none.isEmpty)
      _ = try home.file("a/b/new", "x")
      try make("c/d")
      _ = try home.file("c/d/deep", "x")
      let new = watch.changes().files
      #expect(names(new) == ["a/b/new", "c/d/deep"])
      _ = try home.file("c/d/later", "x")
      let later = watch.changes().files
      #expect(names(later) == ["c/d/later"])
      let (isWhole, isWatched) = (watch.isWhole, watch.contains(home.path))
      #expect(isWhole && isWatched)
    }

    @Test func `a moved file and a moved folder are followed`() throws {
      try make("a")
      let from = try home.file("a/one", "x")
      var watch = TreeWatch()
      _ = watch.add(home.path, deep: true)
      #expect(rename(from, "\(home.path)/a/two") == 0)
      let moved = watch.changes().files
      #expect(names(moved) == ["a/two"])
      #expect(rename("\(home.path)/a", "\(home.path)/b") == 0)
      let below = watch.changes().files
      #expect(names(below) == ["b/two"])
      _ = try home.file("b/three", "x")
      let later = watch.changes().files
      #expect(names(later) == ["b/three"])
    }

    @Test func `subfolders of a shallow watch are left alone`() throws {
      try make("a")
      var watch = TreeWatch()
      _ = watch.add(home.path, deep: false)
      _ = try home.file("a/inner", "x")
      _ = try home.file("outer", "x")
      try make("b")
      _ = try home.file("b/inner", "x")
      let found = watch.changes().files
      #expect(names(found) == ["outer"])
    }

    @Test func `a folder that is removed and made again is watched again`() throws {
      try make("a")
      var watch = TreeWatch()
      _ = watch.add(home.path, deep: true)
      #expect(rmdir("\(home.path)/a") == 0)
      try make("a")
      _ = try home.file("a/one", "x")
      let first = watch.changes().files
      #expect(names(first) == ["a/one"])
      _ = try home.file("a/two", "x")
      let second = watch.changes().files
      #expect(names(second) == ["a/two"])
    }
  }
#endif
