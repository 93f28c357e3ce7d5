/// Whether a count of distinct users is one. Who counts those that are named has 0 of them where none is, next to what they
/// did: they are unknown then.
package func areNamed(_ users: Int?, next counts: Int?...) -> Bool {
    users != 0 || counts.allSatisfy { ($0 ?? 0) == 0 }
}
