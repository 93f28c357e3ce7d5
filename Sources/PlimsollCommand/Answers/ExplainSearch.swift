import Analysis
import AppHealth
import Configuration
import Diagnostics
import Pages
import Site

/// What was requested of `explain`.
struct ExplainRequest {
    /// The address of a page, or the name of a number.
    let page: String
    /// The name of a number on the page.
    let number: String?
    /// The instant of the report.
    let asOf: Instant

    /// The folders of the page.
    var folders: [String] { pageFolders(page) }
}

/// The folders of an address without what people copy along: the ends of addresses, slashes at either end.
func pageFolders(_ address: String) -> [String] {
    var parts = address.split(separator: "/").map(String.init)
    if let last = parts.last, ["index", "index.html", "index.md"].contains(last) { parts.removeLast() }
    return parts.filter { $0 != "." }
}

/// The numbers of one page.
struct ExplainedPage {
    /// The address of the page, without the ending.
    let path: String
    /// Its numbers.
    let numbers: [Explanation]
}

/// The numbers that were requested.
///
/// - Throws: that there is no such page or number, with the nearest names.
func explain(
    _ asked: ExplainRequest, _ project: Project, _ console: Console
) throws(Diagnostics) -> [ExplainedPage] {
    func report(_ app: AppConfiguration) throws(Diagnostics) -> AppAnalysis {
        try project.numbers(of: app, asOf: asked.asOf, console)
    }
    let (apps, folders) = (project.configuration.apps, asked.folders)
    guard let first = folders.first else {
        var numbers: [Explanation] = []
        for app in apps { numbers += ExplainedPages(try report(app)).portfolio }
        return [try chosen(ExplainedPage(path: "\(SitePath.portfolio)", numbers: numbers), asked.number)]
    }
    if let listed = apps.listed(at: folders) {
        var numbers: [Explanation] = []
        for app in listed { numbers += ExplainedPages(try report(app)).portfolio }
        return [
            try chosen(ExplainedPage(path: folders.joined(separator: "/"), numbers: numbers), asked.number)
        ]
    }
    if first == "weeks", folders.count > 1 { return try explain(week: folders, of: apps, asked, report) }
    if FigureID(rawValue: asked.page) == nil, isPageWithoutNumbers(folders, of: project) {
        throw Diagnostics([
            .usage(
                "explain.no-numbers",
                "Page '\(printable(folders.joined(separator: "/")))' has no numbers of its own",
                hints: ["explain the page of an app, a day, a release, an issue or a week that they are of"])
        ])
    }
    if folders.count == 1, first != "apps", asked.number == nil {
        return try everywhere(first, apps, report)
    }
    let names = apps.map(\.app.id.text)
    guard first == "apps", folders.count > 1 else {
        throw unknownName("explain", "page", asked.page, among: names.map { "apps/" + $0 })
    }
    guard let app = apps.first(where: { $0.app.id.text == folders[1] }) else {
        throw unknownName("explain", "page", asked.page, among: names.map { "apps/" + $0 })
    }
    let found = ExplainedPages(try report(app))
    guard
        let path = found.paths.first(where: { $0.stem == folders.joined(separator: "/") + "/index" }
        ),
        let numbers = found.numbers(at: path)
    else {
        let known = found.paths.map { $0.folder.split(separator: "/").joined(separator: "/") }
        throw unknownPage("explain", folders, among: known)
    }
    return [try chosen(ExplainedPage(path: path.stem, numbers: numbers), asked.number)]
}

/// The numbers of all apps on the page of a week, or on a part of it.
private func explain(
    week folders: [String], of apps: [AppConfiguration], _ asked: ExplainRequest,
    _ report: (AppConfiguration) throws(Diagnostics) -> AppAnalysis
) throws(Diagnostics) -> [ExplainedPage] {
    let week = CivilWeek(folders[1])
    var (numbers, known): ([Explanation], Set<CivilWeek>) = ([], [])
    for app in apps {
        let pages = ExplainedPages(try report(app))
        known.formUnion(pages.weeks)
        if let week { numbers += pages.numbers(of: week) }
    }
    let isPage = folders.count == 2 || (folders.count == 3 && Int(folders[2]) != nil)
    guard let week, known.contains(week), isPage else {
        throw unknownPage("explain", folders, among: known.sorted().map { "weeks/\($0)" })
    }
    return [try chosen(ExplainedPage(path: SitePath.week(week).stem, numbers: numbers), asked.number)]
}

/// Whether an address is that of a page all of whose numbers are those of other pages.
private func isPageWithoutNumbers(_ folders: [String], of project: Project) -> Bool {
    let stem = (folders + ["index"]).joined(separator: "/")
    return [SitePath.methods, .sources].contains { $0.stem == stem }
        || project.readContent().0.pages.contains { $0.path.stem == stem }
}

extension [AppConfiguration] {
    /// The apps of the group or the list whose page has an address; nil when it is that of another page.
    fileprivate func listed(at folders: [String]) -> [AppConfiguration]? {
        let isPart = folders.count > 1 && folders.last.flatMap { Int($0) } != nil
        let list = isPart ? folders.dropLast() : folders[...]
        if list.elementsEqual(["all"]) { return self }
        let stem = list.joined(separator: "/") + "/index"
        let found = filter { SitePath.group($0.app.group ?? AppGroup.others).stem == stem }
        return found.isEmpty ? nil : found
    }
}

/// A number by its name alone: on the overview of each app that has it.
private func everywhere(
    _ name: String, _ apps: [AppConfiguration],
    _ report: (AppConfiguration) throws(Diagnostics) -> AppAnalysis
) throws(Diagnostics) -> [ExplainedPage] {
    var pages: [ExplainedPage] = []
    for app in apps {
        let path = SitePath.app(app.app.id)
        pages.append(
            ExplainedPage(path: path.stem, numbers: ExplainedPages(try report(app)).numbers(at: path) ?? []))
    }
    let found = pages.map { page in
        ExplainedPage(path: page.path, numbers: page.numbers.filter { $0.id == name })
    }.filter { !$0.numbers.isEmpty }
    guard found.isEmpty else { return found }
    let known = Set(pages.flatMap { $0.numbers.map(\.id) }).filter { !$0.contains("/") }.sorted()
    throw unknownName("explain", "number", name, among: known)
}

/// A page with all of its numbers, or with those of one name; a name also means all under it.
private func chosen(_ page: ExplainedPage, _ name: String?) throws(Diagnostics) -> ExplainedPage {
    guard let name else { return page }
    let numbers = page.numbers.filter { $0.id == name || $0.id.hasPrefix(name + "/") }
    guard numbers.isEmpty else { return ExplainedPage(path: page.path, numbers: numbers) }
    throw unknownName("explain", "number", name, among: page.numbers.map(\.id))
}
