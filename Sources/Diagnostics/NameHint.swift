/// The next step where a name is unknown: the one that was probably meant, or those that there are.
package func nameHint(for name: String, among names: some Collection<String>, most: Int = 20) -> String {
    nearestHint(for: name, among: names)
        ?? (names.isEmpty ? "none available" : choiceHint(names, most: most))
}

/// `did you mean 'target'?`; nil when no name is close.
package func nearestHint(for name: String, among names: some Sequence<String>) -> String? {
    nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
}

/// `use one of: ios, android`, the first of many.
package func choiceHint(_ names: some Sequence<String>, most: Int = 20) -> String {
    "use one of: \(names.prefix(most).joined(separator: ", "))"
}
