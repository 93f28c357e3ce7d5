import AppHealth

/// The version inside the name of a release as Sentry's SDKs write it, `package@version+build`; any other text
/// is a label as a whole. Nil when it is empty.
func version(ofRelease name: String) -> Version? {
    let label = name.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard name.contains("@"), !label.isEmpty else { return name.isEmpty ? nil : Version(name) }
    let halves = label.split(separator: "+", maxSplits: 1)
    guard let text = halves.first, label.first != "+" else { return Version(name) }
    return Version(String(text), build: halves.count > 1 ? String(halves[1]) : "")
}
