/// A kind of page for which a site chooses what is next to it.
package enum PageKind: String, CaseIterable, Hashable, Sendable {
    /// All apps: the entry page, the lists of all apps and the pages of groups.
    case apps
    /// All apps in a week.
    case week
    case overview, issues, issue, releases, release, comparison, usage, day
}

/// What is next to a page, besides its HTML and its Markdown.
package enum PageOutput: String, CaseIterable, Hashable, Sendable {
    /// `data.json`
    case json
    /// `data.csv` and the other tables.
    case csv
    /// The drawings and the numbers of its charts as files.
    case charts
}

/// What is next to the pages of each kind; where nothing is chosen, what readers use.
package struct Outputs: Hashable, Sendable {
    private var chosen: [PageKind: Set<PageOutput>]

    /// What readers use: everything next to overviews, lists, releases, weeks and usage. Issues, comparisons and days are
    /// most of the pages of a site, and their drawings and tables are on them: days have their data in one file,
    /// comparisons the table of all issues, issues nothing.
    package static let standard = Outputs()

    /// Everything next to every page.
    package static let all = Outputs(
        Dictionary(uniqueKeysWithValues: PageKind.allCases.map { ($0, Set(PageOutput.allCases)) }))

    /// What is chosen for some kinds of pages.
    package init(_ chosen: [PageKind: Set<PageOutput>] = [:]) {
        self.chosen = chosen
    }

    /// What is next to a page of a kind; without a kind everything.
    package subscript(kind: PageKind?) -> Set<PageOutput> {
        guard let kind else { return Set(PageOutput.allCases) }
        if let chosen = chosen[kind] { return chosen }
        return switch kind {
        case .issue: []
        case .comparison: [.csv]
        case .day: [.json]
        case .apps, .week, .overview, .issues, .releases, .release, .usage: Set(PageOutput.allCases)
        }
    }

    /// A line for each choice, in an order that depends on nothing else.
    package var lines: [String] {
        chosen.map { kind, outputs in
            "\(kind.rawValue): " + outputs.map(\.rawValue).sorted().joined(separator: " ")
        }.sorted()
    }
}
