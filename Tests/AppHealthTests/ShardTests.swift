import AppHealth
import Testing

struct ShardTests {
    @Test(
        arguments: [
            ("1/1", Shard(1, of: 1)), ("2/7", Shard(2, of: 7)), ("1000/1000", Shard(1000, of: 1000)),
            ("0/7", nil), ("8/7", nil), ("1/0", nil), ("-1/7", nil), ("+1/7", nil), ("1/1001", nil),
            ("1", nil),
            ("1/2/3", nil), ("/", nil), ("a/b", nil), ("", nil), ("1/ 2", nil), ("0000000001/2", nil),
        ] as [(String, Shard?)])
    func readsAPart(text: String, expected: Shard?) {
        #expect(Shard(text) == expected)
    }

    /// Each app belongs to exactly one part, and a part of many apps is at most a third off its share.
    @Test(arguments: [1, 2, 7, 16])
    func partsAreDisjointAndTogetherAll(count: Int) throws {
        let apps = (0..<2000).map { Slug(anyText: "app-\($0)") }
        let parts = try (1...count).map { index in
            let shard = try #require(Shard(index, of: count))
            return apps.filter(shard.contains)
        }
        #expect(parts.flatMap(\.self).sorted() == apps.sorted())
        let share = apps.count / count
        #expect(parts.allSatisfy { $0.count > share * 2 / 3 && $0.count < share * 4 / 3 })
    }
}
