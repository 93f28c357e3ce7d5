/// What becomes of a row when something else of the very same instant is stated of its key: one file may have the sessions
/// of a day and another its users, and which of them is read first makes no difference.
///
/// Values that belong together are taken together. They fill a row that has none of them, or less of the same; so they do
/// where the row only repeats what an earlier one had, as that was not stated at its instant. Where values that are known
/// differ, those of the row stay.
struct SameInstant {
    /// The row's values with what fills them.
    private(set) var values: [Field]
    /// The groups that were filled.
    private(set) var filled: [RevisionTable.Group] = []
    /// Whether some values that are known differ.
    private(set) var differs = false

    /// - Parameters:
    ///   - stored: The values of the row.
    ///   - stated: What is stated now.
    ///   - earlier: The values of the newest row of an earlier instant; nil without one.
    init(_ table: RevisionTable, _ stored: [Field], and stated: [Field], after earlier: [Field]?) {
        values = stored
        for group in table.groups { fill(group, with: stated, after: earlier) }
    }

    private mutating func fill(
        _ group: RevisionTable.Group, with stated: [Field], after earlier: [Field]?
    ) {
        let (row, new) = (group.known(in: values), group.known(in: stated))
        // By the rule of a later row less than is known is no news.
        if new.isEmpty || (group.isCarried && new.count < row.count) { return }
        let isRepeated = group.isCarried && earlier.map { group.areSame($0, values) } == true
        if row.isEmpty || isRepeated {
            take(group, Set(group.places), of: stated)
        } else if !group.agree(values, stated, on: row.intersection(new)) {
            differs = true
        } else if !group.isCarried || row.isSubset(of: new) {
            take(group, new.subtracting(row), of: stated)
        } else {
            // Half of a rate from here and half from there would never be revised: later each is less than both.
            differs = true
        }
    }

    private mutating func take(_ group: RevisionTable.Group, _ places: Set<Int>, of stated: [Field]) {
        let old = values
        for place in places { values[place] = stated[place] }
        if values != old { filled.append(group) }
    }
}

extension RevisionTable {
    /// Values of a row that belong together.
    struct Group: Sendable {
        /// Where they are.
        let places: [Int]
        /// Where those are that say how good the others are.
        let qualities: Set<Int>
        /// What says as little as no value, by its place.
        let blanks: [Int: Field]
        /// Whether a later row repeats them when they are not stated.
        let isCarried: Bool

        /// The places of what is known in a row.
        func known(in values: [Field]) -> Set<Int> {
            Set(places.filter { !qualities.contains($0) && !values[$0].isNull && values[$0] != blanks[$0] })
        }

        /// Whether two rows have the same here.
        func areSame(_ first: [Field], _ second: [Field]) -> Bool {
            places.allSatisfy { first[$0] == second[$0] }
        }

        /// Whether two rows have the same at some places, and are as good.
        func agree(_ first: [Field], _ second: [Field], on some: Set<Int>) -> Bool {
            some.union(qualities).allSatisfy { first[$0] == second[$0] }
        }
    }

    /// The values by groups: what stays when it is not stated, what else belongs together, and each other value alone.
    static func groups(_ values: [String], parts: [[String]], joint: [[String]]) -> [Group] {
        let together = parts + joint
        let alone = values.filter { value in !together.contains { $0.contains(value) } }.map { [$0] }
        return (together + alone).enumerated().map { number, columns in
            let places = columns.compactMap { values.firstIndex(of: $0) }
            let known = places.compactMap { place in blanks[values[place]].map { (place, $0) } }
            return Group(
                places: places, qualities: Set(places.filter { qualities.contains(values[$0]) }),
                blanks: Dictionary(uniqueKeysWithValues: known), isCarried: number < parts.count)
        }
    }

    /// What is in a column that always has a value, where none is known.
    private static let blanks: [String: Field] = [
        "has_lifetime": .integer(0), "session_definition": .text(""), "user_definition": .text(""),
        "delay": .text(""), "author": .text(""),
    ]
}
