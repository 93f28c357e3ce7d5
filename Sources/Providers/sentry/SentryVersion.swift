import AppHealth

/// Label and build of a release of Sentry's, `package@version+build`: what the service read out of the name
/// where it tells, otherwise the name's own parts. A name of another form is the label as it is.
func sentryVersion(_ name: String, info: SentryVersionInfo? = nil) -> Version {
    let own = parts(of: name)
    guard let parts = info?.version?.value, !parts.raw.text.isEmpty else { return own }
    let build = parts.build?.value?.text ?? ""
    let raw = parts.raw.text
    let label =
        !build.isEmpty && raw.hasSuffix("+\(build)") ? String(raw.dropLast(build.count + 1)) : raw
    return Version(label.isEmpty ? own.label : label, build: build)
}

private func parts(of name: String) -> Version {
    let whole = name.lastIndex(of: "@").map { name[name.index(after: $0)...] } ?? name[...]
    guard !whole.isEmpty else { return Version(name) }
    guard let plus = whole.lastIndex(of: "+"), plus != whole.startIndex else {
        return Version(String(whole))
    }
    let build = whole[whole.index(after: plus)...]
    return build.isEmpty
        ? Version(String(whole)) : Version(String(whole[..<plus]), build: String(build))
}
