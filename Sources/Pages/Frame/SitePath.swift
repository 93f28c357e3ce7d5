package import AppHealth
package import Settings

/// The address of a page within a site, without the ending: `apps/sketchbook/index`.
///
/// HTML and Markdown of one page differ only in the ending, so templates write `{{stem}}.html` or `{{stem}}.md`.
package struct SitePath: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// The path without a leading slash and without the ending.
    package let stem: String

    /// The page `index` of a folder; the empty list is the site's entry page.
    package init(folder: [Slug]) {
        self.stem = (folder.map(\.text) + ["index"]).joined(separator: "/")
    }

    /// How a page leads to the top of the site: `../../`, or nothing from a page at the top.
    package var root: String {
        String(repeating: "../", count: stem.count { $0 == "/" })
    }

    /// The shortest relative address of this page on another one, without the ending.
    package func stem(from page: SitePath) -> String {
        var (own, other) = (stem, page.stem)
        return own.withUTF8 { target in
            other.withUTF8 { start in
                let slash = UInt8(ascii: "/")
                // What comes after the last slash up to which both are the same.
                var (place, rest) = (0, 0)
                while place < target.count, place < start.count, target[place] == start[place] {
                    place += 1
                    if target[place - 1] == slash { rest = place }
                }
                let ups = start[rest...].count { $0 == slash }
                return String(unsafeUninitializedCapacity: 3 * ups + target.count - rest) { text in
                    for up in 0..<ups {
                        text[3 * up] = UInt8(ascii: ".")
                        text[3 * up + 1] = UInt8(ascii: ".")
                        text[3 * up + 2] = slash
                    }
                    return text[(3 * ups)...].update(fromContentsOf: target[rest...])
                }
            }
        }
    }

    /// The folder with a slash at the end, or nothing at the top.
    package var folder: String {
        stem.lastIndex(of: "/").map { String(stem[...$0]) } ?? ""
    }

    package var description: String { stem }

    package static func < (lhs: SitePath, rhs: SitePath) -> Bool { lhs.stem < rhs.stem }
}

extension SitePath {
    /// The entry page.
    package static let portfolio = SitePath(folder: [])
    /// How the numbers are made.
    package static let methods = SitePath(names: ["methods"])
    /// What a visitor sees at an address that does not exist.
    package static let notFound = SitePath(stem: "404")
    /// What was fetched and what failed.
    package static let sources = SitePath(names: ["sources"])

    /// A part of the pages of methods of many apps; the first is 1.
    package static func methods(part: Int) -> SitePath { SitePath(names: ["methods"] + number(part)) }

    /// A part of the pages of sources of many apps.
    package static func sources(part: Int) -> SitePath { SitePath(names: ["sources"] + number(part)) }

    /// The address that this part had until 0.1.
    package static func formerSources(part: Int) -> SitePath { SitePath(names: ["health"] + number(part)) }

    /// A part of the list of all apps, which the entry page has no room for; the first is 1.
    static func all(part: Int = 1) -> SitePath { SitePath(names: ["all"] + number(part)) }

    /// A part of the list of all groups.
    static func groups(part: Int = 1) -> SitePath { SitePath(names: ["groups"] + number(part)) }

    /// A part of the apps of a group; its address depends on nothing but its name.
    package static func group(_ name: String, part: Int = 1) -> SitePath {
        SitePath(names: ["groups", App.slug(ofGroup: name).text] + number(part))
    }

    /// Whether it is the page of a group or of all of them.
    var isOfGroups: Bool { stem.hasPrefix("groups/") }

    /// The folder of a part: none for the first one.
    private static func number(_ part: Int) -> [String] { part == 1 ? [] : ["\(part)"] }

    /// A week of all apps; of many, a part of them.
    package static func week(_ week: CivilWeek, part: Int = 1) -> SitePath {
        SitePath(names: ["weeks", week.description] + number(part))
    }

    /// The overview of an app.
    package static func app(_ app: Slug) -> SitePath { SitePath(names: ["apps", app.text]) }

    /// A part of an app: `activity`, `issues`, `releases`, `usage`.
    package static func part(_ name: AppPart, of app: Slug) -> SitePath {
        SitePath(names: ["apps", app.text, name.rawValue])
    }

    /// A part of the list of issues of an app; the first is 1.
    package static func issues(part: Int, of app: Slug) -> SitePath {
        let folder = part == 1 ? [] : ["\(partPrefix)\(part)"]
        return SitePath(names: ["apps", app.text, AppPart.issues.rawValue] + folder)
    }

    /// An issue; its address depends on nothing but its id.
    package static func issue(_ id: String, of app: Slug) -> SitePath {
        SitePath(names: ["apps", app.text, AppPart.issues.rawValue, folderName(id)])
    }

    /// A release.
    package static func release(_ label: String, of app: Slug) -> SitePath {
        SitePath(names: ["apps", app.text, AppPart.releases.rawValue, folderName(label)])
    }

    /// Two releases next to each other: `compare/4.2.2...4.3.0`, the earlier first.
    package static func compare(_ earlier: String, with later: String, of app: Slug) -> SitePath {
        SitePath(names: ["apps", app.text, "compare", "\(pairName(earlier))...\(pairName(later))"])
    }

    /// A day.
    package static func day(_ date: CivilDate, of app: Slug) -> SitePath {
        SitePath(names: ["apps", app.text, "days", date.description])
    }

    /// What happened to an app in a week; the address of an event, as a week never changes its days.
    package static func activity(_ week: CivilWeek, of app: Slug) -> SitePath {
        SitePath(names: ["apps", app.text, AppPart.activity.rawValue, week.description])
    }

    private init(stem: String) {
        self.stem = stem
    }

    private init(names: [String]) {
        var stem: [UInt8] = []
        stem.reserveCapacity(names.reduce(5) { $0 + $1.utf8.count + 1 })
        for name in names {
            stem += name.utf8
            stem.append(UInt8(ascii: "/"))
        }
        self.stem = String(decoding: stem + Array("index".utf8), as: UTF8.self)
    }
}

extension SitePath {
    /// Which kind of page it is; nil for pages that say how the report is made, and for the owner's.
    package var kind: PageKind? { Self.kind(ofStem: stem) }

    /// The kind of the page at a path from the top of the site, without ending.
    package static func kind(ofStem stem: some StringProtocol) -> PageKind? {
        let parts = stem.split(separator: "/").dropLast()
        switch (parts.first, parts.count) {
        case (nil, _): return stem == "index" ? .apps : nil
        case ("all", _), ("groups", _): return .apps
        case ("weeks", 2...3): return .week
        case ("apps", 2): return .overview
        case ("apps", 3): return AppPart(rawValue: String(parts[2])).map { PageKind($0) }
        case ("apps", 4):
            let kind = Self.kindsOfParts[String(parts[2])]
            return kind == .issue && isPartName(parts[3]) ? .issues : kind
        default: return nil
        }
    }

    private static let kindsOfParts: [String: PageKind] = [
        AppPart.activity.rawValue: .activity, AppPart.issues.rawValue: .issue,
        AppPart.releases.rawValue: .release, "compare": .comparison, "days": .day,
    ]
}

extension PageKind {
    fileprivate init(_ part: AppPart) {
        switch part {
        case .activity: self = .activity
        case .issues: self = .issues
        case .releases: self = .releases
        case .usage: self = .usage
        }
    }
}

/// The folder of an issue or a release; the names of the files next to it are taken.
private func folderName(_ text: String) -> String {
    var taken = namesNextToFolders
    if text.hasPrefix("chart-") || text.hasPrefix("data-") || isPartName(text) { taken.insert(text) }
    return Slug(anyText: text, taken: taken).text
}

private let namesNextToFolders: Set = [
    "index.html", "index.md", "data.json", "data.csv", "summary.md", "feed.xml", "feed.json",
]

/// How the folder of a part of a list begins, in which other pages have folders too.
private let partPrefix = "page-"

/// Whether it is the folder of a part of a list: `page-2`.
private func isPartName(_ name: some StringProtocol) -> Bool {
    name.hasPrefix(partPrefix) && name.dropFirst(partPrefix.count).allSatisfy { ("0"..."9").contains($0) }
}

/// A release within the folder of a pair: without three dots in a row, which part the two.
private func pairName(_ label: String) -> String {
    let name = folderName(label)
    guard name.contains("...") else { return name }
    return Slug(anyText: label, taken: [label]).text.replacing("...", with: "-")
}

/// The parts of an app that have a page of their own.
package enum AppPart: String, Sendable, CaseIterable {
    case activity, issues, releases, usage
}
