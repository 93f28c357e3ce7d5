import AppHealth

/// What the path of a snapshot file tells by the convention `<app>/<date>.json` or `<app>-<date>.json`.
struct SnapshotFileName {
    private let parent: String
    private let stem: String
    /// Whether it is a table of days.
    let isTable: Bool

    /// Reads a path below the source directory, such as `sketchbook/2026-11-20.json`.
    init(_ path: String) {
        let parts = path.split(separator: "/")
        let name = parts.last.map(String.init) ?? ""
        isTable = name.hasSuffix(".csv")
        stem =
            isTable ? String(name.dropLast(4)) : name.hasSuffix(".json") ? String(name.dropLast(5)) : name
        parent = parts.dropLast().last.map(String.init) ?? ""
    }

    /// Whether the path names this app. `sketch-book-2026-11-20.json` is not about `sketch`.
    func belongs(to app: Slug) -> Bool {
        if parent == app.text || stem == app.text { return true }
        guard stem.hasPrefix("\(app.text)-") else { return false }
        return stem.dropFirst(app.text.utf8.count + 1).first?.isNumber == true
    }

    /// Whether the path names some app, by its directory or before the time in its name.
    var namesAnApp: Bool { !parent.isEmpty || (time != nil && stem.first?.isNumber == false) }

    /// The time at the end of the name: `2026-11-20`, `2026-11-20T06-00-00Z`, `2026-11-20T060000Z`.
    var time: Instant? {
        let scalars = Array(stem.unicodeScalars)
        for start in scalars.indices where start == 0 || scalars[start - 1] == "-" {
            let text = String(String.UnicodeScalarView(scalars[start...]))
            if let time = instant(text) { return time }
        }
        return nil
    }

    private func instant(_ text: String) -> Instant? {
        if let date = CivilDate(text) { return Instant(startOf: date) }
        let halves = text.split(separator: "T", maxSplits: 1)
        guard halves.count == 2, halves[1].last == "Z" else { return nil }
        let digits = halves[1].dropLast().filter { $0 != "-" && $0 != ":" }
        guard digits.utf8.count == 6 || digits.utf8.count == 4 else { return nil }
        let full = Array(digits + (digits.utf8.count == 4 ? "00" : ""))
        return Instant("\(halves[0])T\(full[0])\(full[1]):\(full[2])\(full[3]):\(full[4])\(full[5])Z")
    }
}
