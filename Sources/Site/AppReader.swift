import Analysis
import AppHealth
import Diagnostics
import Pages

/// An app whose history is read, with the pages that are to be made of it.
struct ReadApp: Sendable {
    /// What is known of it, where some of that is hidden from the audience.
    let history: AppHistory?
    let analysis: AppAnalysis
    let files: PageList

    /// Whether it takes so much memory that no other app is held next to it, and that what reading it took on its way is
    /// worth giving back.
    var isLarge: Bool { analysis.issues.all.count > 500 }
}

/// Reads the apps of a site, one while the pages of another are written.
struct AppReader: Sendable {
    let input: SiteInput
    let templates: ThemeTemplates
    let history: @Sendable (App) throws(Diagnostics) -> AppHistory

    /// The app at a place, read already or now.
    func read(_ place: Int, unless ahead: Result<ReadApp, Diagnostics>?) async
        -> Result<ReadApp, Diagnostics>
    {
        if let ahead { return ahead }
        return await read(place)
    }

    @concurrent
    func read(_ place: Int) async -> Result<ReadApp, Diagnostics> {
        let (app, targets) = input.apps[place]
        do throws(Diagnostics) {
            var history = try history(app)
            history.notes = input.content.notes(of: app.id)
            let analysis = AppAnalysis(
                history, targets: targets, asOf: input.facts.asOf, control: input.control,
                audience: input.facts.audience)
            return .success(
                ReadApp(
                    history: input.facts.audience.hidesData ? history : nil, analysis: analysis,
                    files: appFiles(analysis, templates, input.facts)))
        } catch {
            return .failure(error)
        }
    }
}

/// What a build does about an app.
enum AppPlan {
    /// Its pages are those of the site before.
    case keep(KeptApp)
    /// Its pages are those of a part.
    case join(JoinedApp)
    /// Its pages are made, but for those that turn out to be equal.
    case make

    /// Whether the feeds are those of the site before: without any event they show the instant of the report.
    var keepsFeeds: Bool { if case .keep(let app) = self { !app.feed.isEmpty } else { false } }
    /// Whether its history is needed.
    var reads: Bool { if case .make = self { true } else { false } }
}

extension AppKeeper {
    /// What to do about an app.
    ///
    /// - Parameter isRequested: Whether a text shows something of it, for which it is read.
    func plan(_ id: Slug, _ inputs: KeptInputs?, in parts: [SitePart], isRequested: Bool) -> AppPlan {
        if isRequested { return .make }
        if let found = app(id, inputs) { return .keep(found) }
        if let found = app(id, inputs, in: parts) { return .join(found) }
        return .make
    }
}
