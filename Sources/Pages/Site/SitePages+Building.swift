package import Analysis
package import AppHealth
package import Diagnostics
import Estimates
import Formatting
package import Templates

extension SourcesPage {
    /// What was fetched and what failed, failed checks of pages, and problems with mutes.
    package init(
        _ digests: [AppSummaryRow], mutes: [Diagnostic] = [], failedChecks: [Diagnostic] = [],
        publications: [PublicationState] = [], site: SiteFacts
    ) {
        self.init(
            SourceList(digests), part: 1, mutes: mutes, failedChecks: failedChecks,
            publications: publications, site: site)
    }

    /// A part of the sources; the first also has what is not of any app.
    package init(
        _ list: SourceList, part: Int, mutes: [Diagnostic] = [], failedChecks: [Diagnostic] = [],
        publications: [PublicationState] = [], site: SiteFacts
    ) {
        let path = SitePath.sources(part: part)
        let links = site.links(from: path)
        self.publications = publications.map(PublicationRow.init)
        self.failedChecks = failedChecks.map { DiagnosticView($0.shown(to: site.audience)) }
        self.mutes = site.audience.reader == .public ? [] : mutes.map(DiagnosticView.init)
        self.sources = list.apps[list.parts.rows(of: part)].flatMap { $0.sources(links) }
        self.sentence = freshnessSentence(list.apps.flatMap(\.sources))
        self.parts = list.parts.links(from: part, links) { .sources(part: $0) }
        self.frame = Frame(
            path, title: "Data sources" + list.parts.suffix(of: part), summary: sentence,
            freshness: sentence,
            crumbs: [("Apps", .portfolio)] + (part == 1 ? [] : [("Data sources", .sources)]),
            hasData: part == 1, showsInstant: true, site: site)
    }
}

extension NotFoundPage {
    /// The page for addresses that do not exist; it is served from any depth, so it links from
    /// the top of the host.
    package init(site: SiteFacts) {
        self.frame = Frame(
            .notFound, title: "Page not found", summary: "Page not found",
            freshness: "", site: site)
        if let base = site.baseURL {
            frame.root = pathOnHost(base)
            frame.navigation = frame.navigation.map { item in
                var item = item
                item.stem = item.stem.map { frame.root + $0 }
                return item
            }
        }
    }
}

/// The path of an address with a slash at both ends: `/reports/` of `https://host/reports/`.
package func pathOnHost(_ address: String) -> String {
    let rest = address.split(separator: "://", maxSplits: 1).last ?? ""
    let path = rest.drop { $0 != "/" }
    return path.hasSuffix("/") ? String(path) : path + "/"
}

extension MethodsPage {
    /// The methods; the constants are those that the code uses.
    package init(
        _ digests: [AppSummaryRow], targets: [(app: String, levels: Targets)], rules: [any Rule],
        introduction: ContentBody?, site: SiteFacts
    ) {
        self.init(
            MethodsList(digests, targets: targets), part: 1, rules: rules, introduction: introduction,
            site: site)
    }

    /// A part of the methods: what holds for all apps is on the first.
    package init(
        _ list: MethodsList, part: Int, rules: [any Rule], introduction: ContentBody?, site: SiteFacts
    ) {
        let path = SitePath.methods(part: part)
        let links = site.links(from: path)
        isFirst = part == 1
        self.introduction = isFirst ? introduction : nil
        self.frame = Frame(
            path, title: "Methods" + list.parts.suffix(of: part),
            summary: "Every formula and rule of this site", freshness: "",
            crumbs: [("Apps", .portfolio)] + (isFirst ? [] : [("Methods", .methods)]), site: site)
        self.formulas = isFirst ? standardFormulas + trendFormulas : []
        self.states = isFirst ? standardStates : []
        self.rules =
            isFirst ? statements(of: rules).map { RuleRow(kind: $0.kind.title, statement: $0.text) } : []
        self.targets = list.targets(of: part).map {
            FactRow(
                name: $0.app,
                value:
                    "target \(PercentFormat.levelText($0.levels.target)), critical \(PercentFormat.levelText($0.levels.critical))"
            )
        }
        self.sources = list.apps[list.parts.rows(of: part)].flatMap { $0.sources(links) }
        self.parts = list.parts.links(from: part, links) { .methods(part: $0) }
    }
}

/// What was fetched, how fresh it is, and what failed.
package struct SourcesPage: TemplateModel {
    package static let modelName = "sources"
    package var frame: Frame
    package var sentence: String
    package var sources: [SourceRow]
    package var failedChecks: [DiagnosticView]
    package var mutes: [DiagnosticView]
    package var publications: [PublicationRow]
    package var parts: [LinkItem]

    package static let fields: [Field<SourcesPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("sentence", "How many sources are up to date, stale and failed", \.sentence),
        .list(
            "sources",
            "The sources of the apps; of more than 40 apps those of a part, those with problems first",
            \.sources),
        .list("parts", "The pages of sources, where many apps are on several", \.parts),
        .flag("hasParts", "True when they are on several") { !$0.parts.isEmpty },
        .flag("hasProblems", "True when a source has problems") { $0.sources.contains(where: \.hasProblems) },
        .list(
            "failedChecks", "Failed checks of the pages",
            \.failedChecks),
        .flag("hasFailedChecks", "True when there is at least one") { !$0.failedChecks.isEmpty },
        .list("mutes", "Problems with mutes: expired, or matching nothing", \.mutes),
        .flag("hasMutes", "True when there is at least one") { !$0.mutes.isEmpty },
        .list("publications", "Every publish target", \.publications),
        .flag("hasPublications", "True when there is at least one") { !$0.publications.isEmpty },
    ]
}

/// When the site was last published to one target.
package struct PublicationRow: TemplateModel {
    package static let modelName = "publication"
    package var target: String
    package var published: String
    package var failed: String?

    package static let fields: [Field<PublicationRow>] = [
        .text("target", "Name of the publish target", \.target),
        .text(
            "published",
            "When the site was last published there; `No record` when the archive's list of publications has none",
            \.published),
        .optionalText("failed", "When the newest publication failed; absent when it did not", \.failed),
    ]

    init(_ state: PublicationState) {
        target = state.target
        published = state.publishedAt?.tableText ?? "No record"
        failed = state.failedAt?.tableText
    }
}

/// What a visitor sees at an address that does not exist.
package struct NotFoundPage: TemplateModel {
    package static let modelName = "not-found"
    package var frame: Frame

    package static let fields: [Field<NotFoundPage>] = [
        .model("frame", "What is around every page", \.frame)
    ]
}
