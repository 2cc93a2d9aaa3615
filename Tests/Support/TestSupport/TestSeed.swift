import Glibc

/// The seed of a random test: `TEST_SEED` of the environment, else the standard one, else another one in each run.
///
/// Prints the seed, so that a run that failed can be repeated: `TEST_SEED=7 Tests/run --filter anyOrder`.
/// - Parameters:
///   - standard: The seed where the environment names none; nil for another one in each run.
///   - test: The name of the test.
///   - file: The file of the test.
/// - Returns: The seed.
package func testSeed(_ standard: UInt64? = nil, test: String = #function, file: String = #fileID) -> UInt64 {
  let seed =
    getenv("TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? standard ?? .random(in: 0...UInt64(UInt32.max))
  print("TEST_SEED=\(seed) \(file) \(test)")
  return seed
}

/// How often a random test repeats what it tries: `TEST_ROUNDS` per cent of it where the environment says so, for less
/// where the same tests run once more in another way, and for more by hand.
/// - Parameter count: How often without that.
/// - Returns: How often, at least once.
package func testRounds(_ count: Int) -> Int {
  let percent = getenv("TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 100
  return max(1, count * percent / 100)
}

/// The seeds of a test that runs several times: as many as there are runs, from ``testSeed(_:test:file:)`` on.
/// - Parameters:
///   - count: How many.
///   - standard: The first seed where the environment names none.
///   - test: The name of the test.
///   - file: The file of the test.
/// - Returns: The seeds, in ascending order.
package func testSeeds(
  _ count: Int, from standard: UInt64 = 0, test: String = #function, file: String = #fileID
) -> [UInt64] {
  let first = testSeed(standard, test: test, file: file)
  return (0..<UInt64(count)).map { first &+ $0 }
}
