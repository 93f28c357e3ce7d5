/// Several things to tell, thrown together: the reason why something could not be done at all.
package struct Diagnostics: Error, Hashable, Sendable {
    /// What to tell, most important first; never empty.
    package let list: [Diagnostic]

    /// Several diagnostics; without any, it says that the reason is unknown.
    package init(_ list: [Diagnostic]) {
        self.list =
            list.isEmpty ? [.error("unknown", "Something could not be done, and no reason is known")] : list
    }
}
