import Analysis
import AppHealth
import Archive
import Configuration
import Diagnostics
import Pages
import Site

/// The reports of apps at an instant. What all of them are made of is read once: content, mutes and the key of the
/// archive.
struct AppReports {
    let asOf: Instant
    /// What all pages share.
    let site: SiteFacts
    private let content: ContentFolder
    private let control: AlertControl
    private let archive: Archive
    private let sources: [Slug: [Source]]

    /// - Throws: what is wrong with the content, the mutes or the archive.
    init(_ project: Project, _ archive: Archive, asOf: Instant) throws(Diagnostics) {
        self.asOf = asOf
        self.archive = archive
        content = try project.soundContent().content
        control = try project.alertControl()
        site = try single { () throws(Diagnostic) in try project.facts(asOf: asOf) }
        sources = project.sourcesByApp
    }

    /// The report of an app.
    ///
    /// - Parameter audience: for whom, with its key; nil for that of the configuration.
    func report(
        of app: AppConfiguration, for audience: Audience? = nil, _ console: Console
    ) throws(Diagnostics) -> AppAnalysis {
        let id = app.app.id
        var history = try readHistory(of: app.app, sources[id] ?? [], archive, asOf, console)
        history.notes = content.notes(of: id)
        return AppAnalysis(
            history, targets: app.targets, asOf: asOf, control: control, audience: audience ?? site.audience)
    }

    /// Whether the settings of an app turn verdicts of releases off by name.
    func turnsVerdictsOff(of app: Slug) -> Bool { control.settings[app]?[.releaseVerdict].isOn == false }

    /// What all pages for an audience share.
    func site(for audience: Audience) -> SiteFacts {
        var site = site
        site.publishedReader = site.audience.reader
        site.audience = audience
        return site
    }
}
