import Diagnostics

/// Tells that there is no such app or release, with the nearest name or those that are known.
func unknownName(_ command: String, _ what: String, _ name: String, among names: [String]) -> Diagnostics {
    let near = nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
    let all = names.isEmpty ? "none available" : "use one of: \(names.prefix(20).joined(separator: ", "))"
    return Diagnostics([
        .usage("\(command).unknown-\(what)", "Unknown \(what) '\(name)'", hints: [near ?? all])
    ])
}
