/// The needed rights that are not among the granted ones, in their order. `org:write` and `org:admin` hold
/// `org:read`.
package func missingRights(needed: [String], granted: [String]) -> [String] {
    needed.filter { right in
        guard right.hasSuffix(":read") else { return !granted.contains(right) }
        let subject = right.dropLast("read".count)
        return !["read", "write", "admin"].contains { granted.contains("\(subject)\($0)") }
    }
}
