package import Analysis
package import AppHealth
import Cryptography
package import Diagnostics
import Files
import Foundation
import Markup
package import Pages
import Platform
import Templates

/// The report of one app in one file.
package struct SingleFile: Sendable {
    /// The file's bytes: HTML that needs no other file, no script and no network.
    package let bytes: [UInt8]
    /// What it says of the app.
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
        let style = try single { () throws(Diagnostic) in try StyleSheet(templates.styles, templates.assets) }
        let audience = input.facts.audience
        let analysis = AppAnalysis(
            history, targets: targets, asOf: input.facts.asOf, control: input.control, audience: audience)
        let page = SingleFilePage(
            AppPages(analysis, site: input.facts), rules: standardRules, style: style.text,
            policy: style.policy)
        var writer = ByteWriter(capacity: 1 << 20)
        if let fault = templates.singleFile.render(page, into: &writer) {
            throw Diagnostics([fault.diagnostic])
        }
        self.bytes = try single { () throws(Diagnostic) in
            SingleFileMark.put(
                into: try embeddingAssets(writer.bytes, templates.assets), hiding: audience.rules)
        }
        self.digest = AppSummaryRow(analysis)
        guard audience.hidesData else { return }
        var secrets = AudienceRedaction(history, for: audience)
            .sensitiveFacts(of: history, mutes: input.control.mutes)
        secrets.known.insert(input.facts.title)
        let search = try LeakSearch(secrets, of: input)
        if let leak = search.leak(in: style.withoutData(writer.bytes), .text) {
            throw Diagnostics([diagnostic(leak, in: "\(app.id).html")])
        }
    }
}

/// The file from which programs read the state of a site.
package let siteMarker = "status.json"

/// Whether a folder holds a site that this program made.
package func holdsSite(_ folder: String) -> Bool {
    if let manifest = try? SiteManifest.read(in: folder), !manifest.files.isEmpty { return true }
    guard let entries = try? folderEntries(folder) else { return false }
    return LegacySite(folder, entries) != nil
}

/// Puts one more file into a site that exists, and into its manifest, so that the next build knows it.
///
/// - Parameter audience: for whom the file is made.
/// - Throws: `site.foreign-file` when another file that no build made has the name; `build.audience` when the file shows
///   what the site hides.
package func addFile(
    _ path: String, _ bytes: [UInt8], for audience: Audience, toSite site: String, _ policy: OutputPolicy
) throws(Diagnostic) {
    let place = SitePlace(site, policy.swap)
    let site = place.output
    let lock = try lockSite(site, waiting: policy.waitSeconds)
    defer { withExtendedLifetime(lock) {} }
    let file = "\(site)/\(path)"
    if let problem = audienceProblem(of: file, for: audience, in: site) { throw problem }
    let known = try diagnosed { () throws(FileFailure) in try SiteManifest.read(in: site) }
    guard var manifest = known, !policy.keeps(path) else {
        return try diagnosed { () throws(FileFailure) in
            // The link of an owner may lead to another disk.
            if targetOfLink(file) != file { return try replaceFile(file, bytes) }
            try AddedFile(bytes, nextTo: place).take(file)
        }
    }
    var status = stat()
    if lstat(file, &status) == 0, !policy.adopts {
        let old = try diagnosed { () throws(FileFailure) in SiteManifest.File(try readFile(file, limit: .max))
        }
        guard manifest.files[path] == old else {
            throw .error(
                "site.foreign-file", "'\(file)' already exists and is not a built page, or was changed",
                at: .file(path: file),
                hints: [
                    "move it, or use '--output' with another file",
                    "or use '--adopt' to replace it",
                ])
        }
    }
    manifest.files[path] = SiteManifest.File(bytes)
    let record = manifest.bytes
    try diagnosed { () throws(FileFailure) in
        try AddedFile(bytes, nextTo: place, manifest: record).take(file)
    }
}

/// The style sheets of a theme for a `style` element, with the policy that admits them and nothing else.
struct StyleSheet: Sendable {
    /// The text of the element.
    let text: String
    /// The same with addresses of pictures and fonts instead of their bytes.
    private let plain: String

    /// The style sheets that the pages of a theme link, one after the other, each for its media, with the sheets, the
    /// pictures and the fonts of the theme that they name.
    ///
    /// - Throws: a diagnostic when a sheet of these could end the element or would load another file.
    init(_ styles: LinkedStyles, _ assets: ThemeAssets) throws(Diagnostic) {
        var whole = WholeStyle(assets, embeds: true)
        var parts: [String] = []
        for sheet in styles.sheets {
            if let media = sheet.media, media.contains(where: { "{}<;".contains($0) }) {
                throw .usage(
                    "theme.not-alone",
                    "The style sheet is linked for '\(printable(media))', so it cannot be in a single file",
                    at: .file(path: sheet.asset.file), hints: ["write media such as print in its link"])
            }
            let isFirst = parts.isEmpty && sheet.media == nil
            parts.append(sheet.forItsMedia(try whole.rules(of: sheet.asset, isFirst: isFirst)))
        }
        plain = styles.rules(with: assets).joined(separator: "\n")
        // An element's text keeps no carriage returns, and the hash is of what is in it then.
        text = parts.joined(separator: "\n").replacing("\r\n", with: "\n").replacing(
            "\r", with: "\n")
    }

    /// A page with this style, without the bytes of pictures and fonts: as letters they can have any short word in them.
    func withoutData(_ page: [UInt8]) -> [UInt8] {
        let own = Array(text.utf8)
        guard let start = place(of: own, in: page, from: 0) else { return page }
        return page[..<start] + Array(plain.utf8) + page[(start + own.count)...]
    }

    /// `default-src 'none'; style-src 'sha256-…'; …`: a hash names this text alone, so that no other style, no
    /// script and no request can be smuggled in by what a service reported (CSP 3, §2.3.1).
    var policy: String {
        let hash = Data(digest(of: text.utf8)).base64EncodedString()
        return
            "default-src 'none'; style-src 'sha256-\(hash)'; img-src data:; font-src data:; base-uri 'none'; "
            + "form-action 'none'"
    }
}
