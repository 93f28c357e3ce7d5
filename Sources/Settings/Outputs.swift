/// A kind of page for which a site chooses what is written of it and next to it.
package enum PageKind: String, CaseIterable, Hashable, Sendable {
    /// All apps: the entry page, the lists of all apps and the pages of groups.
    case apps
    /// All apps in a week.
    case week
    case overview, issues, issue, releases, release, comparison, usage, activity, day
}

/// What is written of a page, and what is next to it.
package enum PageOutput: String, CaseIterable, Hashable, Sendable {
    /// The page, which is always written: links lead to it.
    case html
    /// Its Markdown version.
    case markdown
    /// `data.json`
    case json
    /// `data.csv` and the other tables.
    case csv
    /// The drawings and the numbers of its charts as files.
    case charts
}

/// What is written of the pages of each kind; where nothing is chosen, what readers use.
package struct Outputs: Hashable, Sendable {
    private var chosen: [PageKind: Set<PageOutput>]

    /// What readers use: everything next to overviews, lists, releases, weeks and usage. Issues, comparisons and days are
    /// most of the pages of a site, and their drawings and tables are on them: days have their data in one file,
    /// comparisons the table of all issues, issues nothing.
    package static let standard = Outputs()

    /// Everything next to every page.
    package static let all = Outputs(
        Dictionary(uniqueKeysWithValues: PageKind.allCases.map { ($0, Set(PageOutput.allCases)) }))

    /// What is chosen for some kinds of pages. A choice with neither HTML nor Markdown is one of what is next to the
    /// pages: they have both.
    package init(_ chosen: [PageKind: Set<PageOutput>] = [:]) {
        self.chosen = chosen.mapValues {
            $0.union($0.isDisjoint(with: Self.page) ? Self.page : [.html])
        }
    }

    /// A page in both languages.
    private static let page: Set<PageOutput> = [.html, .markdown]

    /// What is written of a page of a kind; without a kind everything.
    package subscript(kind: PageKind?) -> Set<PageOutput> {
        guard let kind else { return Set(PageOutput.allCases) }
        if let chosen = chosen[kind] { return chosen }
        return switch kind {
        case .issue: Self.page
        case .comparison: Self.page.union([.csv])
        case .day: Self.page.union([.json])
        case .apps, .week, .overview, .issues, .releases, .release, .usage, .activity:
            Set(PageOutput.allCases)
        }
    }

    /// Whether every page has its Markdown version.
    package var haveMarkdown: Bool { chosen.values.allSatisfy { $0.contains(.markdown) } }

    /// A line for each choice, in an order that depends on nothing else.
    package var lines: [String] {
        chosen.map { kind, outputs in
            "\(kind.rawValue): " + outputs.map(\.rawValue).sorted().joined(separator: " ")
        }.sorted()
    }
}
