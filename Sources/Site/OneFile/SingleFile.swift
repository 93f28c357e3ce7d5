import Analysis
package import AppHealth
package import Diagnostics
import Markup
package import Pages
import Templates

/// The report of one app in one file.
package struct SingleFile: Sendable {
    /// The file's bytes: HTML that needs no other file, no script and no network.
    package let bytes: [UInt8]
    /// What it tells of the app.
    package let digest: AppSummaryRow

    /// Mail servers and the people behind them are seldom glad of more.
    package static let large = 5_000_000

    /// Makes the file.
    ///
    /// - Throws: the diagnostics for which there is no file, such as something in it that its audience must not see.
    package init(
        of app: App, _ targets: Targets, _ history: AppHistory, _ input: SiteInput
    ) throws(Diagnostics) {
        var history = history
        history.notes = input.content.notes(of: app.id)
        let (templates, problems) = ThemeTemplates.load(input.theme)
        guard let templates else { throw Diagnostics(problems) }
        let style: StyleSheet
        do throws(Diagnostic) {
            style = try StyleSheet(templates.assets)
        } catch {
            throw Diagnostics([error])
        }
        let audience = input.facts.audience
        let analysis = AppAnalysis(
            history, targets: targets, asOf: input.facts.asOf, control: input.control, audience: audience)
        let page = SingleFilePage(
            analysis, rules: standardRules, style: style.text, policy: style.policy, site: input.facts)
        var writer = ByteWriter(capacity: 1 << 20)
        templates.singleFile.render(page, into: &writer)
        self.bytes = writer.bytes
        self.digest = AppSummaryRow(analysis)
        guard audience.leavesOut else { return }
        var secrets = Redaction(history, for: audience)
            .sensitiveFacts(of: history, mutes: input.control.mutes)
        secrets.known.insert(input.facts.title)
        let search = LeakSearch(secrets, ownText: try ownText(input))
        if let leak = search.leak(in: bytes, .text) {
            throw Diagnostics([diagnostic(leak, in: "\(app.id).html")])
        }
    }
}
