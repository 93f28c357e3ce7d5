import Analysis
import AppHealth
import Formatting
package import Templates

/// A part of a list that the entry page has no room for: the apps of a group, all apps, or all groups.
package struct ListPage: TemplateModel {
    package static let modelName = "list"
    package var frame: Frame
    package var name: String
    package var sentence: String
    package var span: String
    package var apps: [AppRow]
    package var groups: [GroupRow]
    package var parts: [LinkItem]

    package static let fields: [Field<ListPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The name of the list, such as that of the group", \.name),
        .text("sentence", "One sentence on the state of its apps", \.sentence),
        .text("span", "What of the list is on the page, such as `Apps 1–20 of 57`", \.span),
        .list("apps", "The apps of the part, those first that need attention most", \.apps),
        .text("noApps", "What is said where no app is listed") { _ in "No apps configured." },
        .list("groups", "The groups of the part, on pages of groups", \.groups),
        .flag("hasGroups", "True on pages of groups") { !$0.groups.isEmpty },
        .list("parts", "The parts of a list that is on several pages", \.parts),
        .flag("hasParts", "True when the list is on several pages") { !$0.parts.isEmpty },
    ]
}

extension ListPage {
    /// A part of a list.
    package init(_ part: ListPart, site: SiteFacts) {
        let (list, path) = (part.list, part.path)
        let (links, rows) = (site.links(from: path), list.rows(of: part.number))
        name = list.name
        span = spanText(list, rows)
        var groups: [AppGroup] = []
        if case .groups(let all) = list { groups = Array(all[rows]) }
        sentence = list.apps.isEmpty ? groupsSentence(list) : StateSentence(list.apps).text
        frame = Frame(
            path, title: part.number == 1 ? name : "\(name), \(span)", summary: sentence,
            freshness: list.apps.isEmpty ? "" : freshnessSentence(list.apps.flatMap(\.sources)),
            crumbs: [("Apps", .portfolio)] + (part.number == 1 ? [] : [(name, list.path(of: 1))]),
            hasData: part.hasData, site: site)
        apps = list.apps.isEmpty ? [] : list.apps[rows].map { $0.row(links) }
        self.groups = groups.map { GroupRow($0, links) }
        let numbers = list.parts == 1 ? [] : Array(1...list.parts)
        parts = numbers.map { number in
            LinkItem(
                title: rangeText(list.rows(of: number)), stem: links.stem(to: list.path(of: number)),
                isCurrent: number == part.number)
        }
    }
}

/// `Apps 1–20 of 57`, `57 groups`.
private func spanText(_ list: AppList, _ rows: Range<Int>) -> String {
    var noun = "app"
    if case .groups = list { noun = "group" }
    guard rows.count < list.count else { return countedText(list.count, noun) }
    return "\(noun.sentenceCased)s \(rangeText(rows)) of \(countText(list.count))"
}

private func groupsSentence(_ list: AppList) -> String {
    guard case .groups(let groups) = list else { return "No apps configured." }
    let below = groups.count { $0.apps.contains(where: \.isBelowTarget) }
    let verb = below == 1 ? "has" : "have"
    return "\(countText(below)) of \(unitText(groups.count, "groups")) \(verb) apps below target."
}

/// A group of apps as one row of a list. It counts apps; no rate and no number of users of several apps is made into one.
package struct GroupRow: TemplateModel {
    package static let modelName = "group-row"
    package var name: String
    package var stem: String?
    package var apps: String
    package var belowTarget: String
    package var overspent: String
    package var undecided: String
    package var oldData: String
    package var openAlerts: String
    package var worst: String?
    package var worstStem: String?
    package var worstVerdict: VerdictView

    package static let fields: [Field<GroupRow>] = [
        .text("name", "The group's name", \.name),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .text("apps", "How many apps it has", \.apps),
        .text("belowTarget", "How many of them are below their target", \.belowTarget),
        .text(
            "overspent", "How many have overspent their error budget, by more than chance explains",
            \.overspent),
        .text(
            "undecided", "How many have no status: too little data, no crash-free rate, or a stale one",
            \.undecided),
        .text("oldData", "How many have a source that is stale or failed", \.oldData),
        .text("openAlerts", "How many have alerts of the last seven days that stand", \.openAlerts),
        .optionalText(
            "worst", "The app that needs attention most; absent when none does", \.worst),
        .optionalUrl("worstStem", "The address of that app's page without ending", \.worstStem),
        .model("worstVerdict", "The status of that app", \.worstVerdict),
    ]
}

extension GroupRow {
    /// A group as a row of a page.
    init(_ group: AppGroup, _ links: Links) {
        func count(_ isCounted: (AppSummaryRow) -> Bool) -> String {
            countText(group.apps.count(where: isCounted))
        }
        name = group.name
        stem = links.stem(to: .group(group.name))
        apps = countText(group.apps.count)
        belowTarget = count(\.isBelowTarget)
        overspent = count(\.isOverspent)
        undecided = count(\.isUndecided)
        oldData = count(\.hasOldData)
        openAlerts = count { $0.openAlerts > 0 }
        let urgent = group.apps.first(where: \.needsAttention)
        worst = urgent?.name
        worstStem = urgent.flatMap { links.stem(to: .app($0.id)) }
        worstVerdict = urgent?.verdict ?? VerdictView(.meets, why: "")
    }
}
