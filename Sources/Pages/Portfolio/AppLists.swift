import Analysis
import AppHealth

/// The apps of a site in the order of their need, and the lists that show them. They are made once for the entry page
/// and for the pages of lists.
package struct AppLists: Sendable {
    /// The apps, those first that need attention most.
    let apps: [AppSummaryRow]
    /// The groups, those first that need attention most; empty when no app is in one.
    let groups: [AppGroup]
    /// The apps that need attention.
    let urgent: [AppSummaryRow]

    /// How many apps a site without groups may have for all of them to be on the entry page.
    package static let entryLimit = 40
    /// How many apps a part of a longer list has: a row with its drawing takes 1.4 kB, and a page has 60 kB.
    package static let partSize = 20
    /// How many groups a part of the list of groups has.
    package static let groupPartSize = 40
    /// How many apps that need attention are on an entry page that does not show all.
    static let urgentLimit = 10
    /// How many groups are on the entry page.
    static let groupLimit = 20

    /// The lists of some apps, in any order.
    package init(_ digests: [AppSummaryRow]) {
        apps = digests.sorted { first, second in
            first.need != second.need
                ? first.need > second.need : (first.row.name, first.id) < (second.row.name, second.id)
        }
        groups = AppGroup.groups(of: apps)
        urgent = apps.filter(\.needsAttention)
    }

    /// Whether the entry page shows every app.
    var areWhole: Bool { groups.isEmpty && apps.count <= Self.entryLimit }

    /// The pages of all lists in an order that the groups decide: none when the entry page shows every app.
    package var pages: [ListPart] {
        guard !areWhole else { return [] }
        let lists = groups.map(AppList.group) + [.all(apps)] + (moreGroups ? [.groups(groups)] : [])
        return lists.flatMap { list in (1...list.parts).map { ListPart(list: list, number: $0) } }
    }

    /// Whether the entry page has no room for all groups.
    var moreGroups: Bool { groups.count > Self.groupLimit }
}

extension AppSummaryRow {
    /// Whether a person should look at it: its rate is below the target, an alert is open, its error budget is overspent
    /// beyond chance, the verdict on a release in use is Hold or Roll back, or a source is stale or failed.
    var needsAttention: Bool {
        isBelowTarget || openAlerts > 0 || isOverspent || !held.isEmpty || hasOldData
    }
    /// Whether it has overspent its error budget, by more than chance explains.
    var isOverspent: Bool { budget?.isOverspentBeyondChance == true }
    /// Whether its rate is below the target.
    var isBelowTarget: Bool { isCritical || verdict.look == .misses }
    /// Whether its rate is below the critical level.
    var isCritical: Bool { verdict.look == .critical }
    /// Whether it has no status: too little is known, no rate at all, or an old one that met the target.
    var isUndecided: Bool { verdict.look == .insufficient || verdict.look == .unknown }
    /// Whether a source is stale, failed, or was never fetched.
    var hasOldData: Bool { sources.contains { $0.isBehind } }

    /// The app as a row of a page.
    func row(_ links: Links) -> AppRow {
        var row = row
        row.stem = links.stem(to: .app(id))
        return row
    }
}

/// The apps that a team calls by one name.
package struct AppGroup: Sendable {
    /// Its name; the owner's words.
    let name: String
    /// Its apps, those first that need attention most.
    let apps: [AppSummaryRow]

    /// What holds the apps without a group, when others have one. Apps in a group of that name are with them.
    package static let others = "Other apps"

    /// The groups of apps that are in the order of their need.
    static func groups(of apps: [AppSummaryRow]) -> [AppGroup] {
        guard apps.contains(where: { $0.group != nil }) else { return [] }
        let groups = Dictionary(grouping: apps) { $0.group ?? others }.map(AppGroup.init)
        return groups.sorted { first, second in
            first.need != second.need
                ? second.need.lexicographicallyPrecedes(first.need) : first.name < second.name
        }
    }

    /// How much its worst app needs attention, then how many of its apps do.
    private var need: [Int] {
        [
            apps.first?.need.verdict ?? 0, apps.count(where: \.isBelowTarget),
            apps.count(where: \.needsAttention),
        ]
    }
}

/// A list that has pages of its own.
package enum AppList: Sendable {
    /// All apps of the site.
    case all([AppSummaryRow])
    /// The apps of a group.
    case group(AppGroup)
    /// All groups of the site.
    case groups([AppGroup])

    /// What it is called.
    package var name: String {
        switch self {
        case .all: "All apps"
        case .group(let group): group.name
        case .groups: "Groups"
        }
    }

    /// What is on its pages, in words that no figure changes.
    package var summary: String {
        switch self {
        case .all: "every app in parts, those that need attention first"
        case .group: "the apps of this group, those that need attention first"
        case .groups: "every group in parts"
        }
    }

    /// Its apps, of which its data are; none of a list of groups.
    package var apps: [AppSummaryRow] {
        switch self {
        case .all(let apps): apps
        case .group(let group): group.apps
        case .groups: []
        }
    }

    /// How many parts it has, at least one.
    var parts: Int { max(1, (count + size - 1) / size) }

    /// How many rows it has.
    var count: Int {
        if case .groups(let groups) = self { return groups.count }
        return apps.count
    }

    /// How many rows a part has.
    private var size: Int {
        if case .groups = self { return AppLists.groupPartSize }
        return AppLists.partSize
    }

    /// The places of the rows of a part.
    func rows(of part: Int) -> Range<Int> { (part - 1) * size..<min(part * size, count) }

    /// The page of a part.
    func path(of part: Int) -> SitePath {
        switch self {
        case .all: .all(part: part)
        case .group(let group): .group(group.name, part: part)
        case .groups: .groups(part: part)
        }
    }
}

/// A part of a list: what one page shows.
package struct ListPart: Sendable {
    /// The whole list.
    package let list: AppList
    /// Which part it is, from 1.
    let number: Int

    /// The page.
    package var path: SitePath { list.path(of: number) }
    /// Whether the list begins with it.
    package var isFirst: Bool { number == 1 }
    /// Whether the data of the whole list are next to it.
    package var hasData: Bool { isFirst && !list.apps.isEmpty }
}
