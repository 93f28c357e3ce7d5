import AppHealth
import Configuration
import Diagnostics
import Files

/// Digests of what the pages of a site are made from, which tell what of the build before is still right.
struct InputDigests {
    let input: SiteInput
    /// What that build left; nil when nothing is kept.
    let kept: KeptBuild?
    /// A digest of what all pages are made from; nil when it is not known.
    let shared: String?
    /// A digest of the rules of alerts and of the mutes.
    private let control: String?

    init(_ input: SiteInput, _ kept: KeptBuild?) throws(Diagnostics) {
        (self.input, self.kept) = (input, kept)
        control = kept == nil ? nil : digestOfValue(input.control)
        guard kept != nil else {
            shared = nil
            return
        }
        do throws(FileFailure) {
            let theme = try themeDigest(input.theme)
            shared = digestOfValue(
                SharedInputs(input.facts, program: input.keeping?.program ?? "", theme: theme))
        } catch {
            throw Diagnostics([error.diagnostic])
        }
    }

    /// What the pages of an app are made from; nil when it is not known.
    func inputs(of app: App, _ targets: Targets) -> KeptInputs? {
        guard let keeping = input.keeping, let shared, let control, let revision = keeping.revision(app),
            let digest = digestOfValue(
                AppInputs(
                    app, targets, revision: revision.mark, keeping, shared: shared, control: control, input))
        else { return nil }
        return KeptInputs(digest: digest, next: revision.next)
    }

    /// A digest of all that the site is made from; nil when it is not known, or only a part is built here.
    func siteInputs(_ apps: [KeptInputs?]) throws(Diagnostics) -> String? {
        let known = apps.compactMap { $0?.digest }
        guard input.scope.isWhole, let shared, known.count == apps.count else { return nil }
        return try reported { () throws(FileFailure) in
            digestOfValue(try SiteInputs(input, shared: shared, apps: known))
        }
    }

    /// What came of the build before, when the site is the one that it made of the same.
    func outcome(of inputs: String?, _ site: HeldSite) -> SiteOutcome? {
        guard let inputs, input.keeping?.isFull == false, let known = kept?.site, known.inputs == inputs,
            known.manifest == site.digest
        else { return nil }
        var outcome = known.outcome
        // That build may have been started in another folder.
        outcome.output = site.place.output
        outcome.outputProblems = []
        outcome.keptPages = outcome.pages
        return outcome
    }
}
