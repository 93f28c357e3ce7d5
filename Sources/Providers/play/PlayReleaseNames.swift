import AppHealth

/// The names of version codes.
struct PlayReleaseNames: Sendable {
    private var names: [Int: String] = [:]
    private var ambiguous: Set<String> = []

    /// Without names every version is called by its code.
    init() {}

    init(_ options: PlayReleaseOptions) {
        let releases = (options.tracks?.values ?? []).flatMap { $0.servingReleases?.values ?? [] }
        for release in releases {
            guard let display = release.displayName?.nonEmpty else { continue }
            let codes = (release.versionCodes?.values ?? []).map(\.value)
            for code in codes where names[code] == nil { names[code] = plainName(display, of: codes) }
        }
        let byName = Dictionary(grouping: names.keys) { names[$0] ?? "" }
        ambiguous = Set(byName.filter { $0.value.count > 1 }.keys)
    }

    /// The name with the code as its build; the code itself where no release is served with it. Users of two
    /// codes cannot be added up, so codes that share a name are kept apart: `4.2.1+370`.
    func version(_ code: Int) -> Version {
        guard let name = names[code] else { return Version(String(code), build: String(code)) }
        return Version(ambiguous.contains(name) ? "\(name)+\(code)" : name, build: String(code))
    }

    /// The releases that are served, newest first.
    var releases: [Release] {
        names.keys.map { Release(version: version($0), releasedAt: nil) }
            .sorted { $0.version > $1.version }
    }
}

/// `4.2.1` of the name that the console proposes, `370 (4.2.1)`, where 370 is one of the release's codes; any
/// other name as it is.
private func plainName(_ display: String, of codes: [Int]) -> String {
    let parts = display.split(separator: " (", maxSplits: 1)
    guard parts.count == 2, let code = wholeNumber(parts[0]), codes.contains(code),
        parts[1].last == ")",
        parts[1].count > 1
    else { return display }
    return String(parts[1].dropLast())
}
