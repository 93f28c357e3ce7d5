package import Analysis
package import AppHealth
package import Diagnostics
import Files
import Foundation
import Markup
import Pages

/// How many leaks are reported; one is enough to refuse a site.
private let maxReportedLeaks = 20

/// Refuses a site of which any file shows what its audience must not see.
///
/// - Throws: a diagnostic for each file that does.
func refuseLeaks(
    _ staged: StagedSite, _ facts: SensitiveFacts, _ input: SiteInput
) async throws(Diagnostics) {
    let rules = Set(input.facts.audience.rules)
    let search = try LeakSearch(facts, of: input)
    let files = try reported { () throws(FileFailure) in try filesBelow(staged.staging) }
    let lanes = min(input.threads, max(1, files.count))
    let found = await withTaskGroup(of: [Diagnostic].self) { group in
        for lane in 0..<lanes {
            group.addTask {
                await leaks(files, from: lane, step: lanes, in: staged.staging, search, rules)
            }
        }
        return await group.reduce(into: []) { $0 += $1 }
    }
    guard !found.isEmpty else { return }
    let sorted = found.sorted { ($0.summary, $0.id) < ($1.summary, $1.id) }
    throw Diagnostics(Array(sorted.prefix(maxReportedLeaks)))
}

@concurrent
private func leaks(
    _ files: [String], from first: Int, step: Int, in folder: String, _ search: LeakSearch,
    _ rules: Set<RedactionRule>
) async -> [Diagnostic] {
    stride(from: first, to: files.count, by: step).compactMap { index in
        do throws(FileFailure) {
            let bytes = try readFile("\(folder)/\(files[index])", limit: .max)
            return leak(in: bytes, of: files[index], search, leavingOut: rules).map {
                diagnostic($0, in: files[index])
            }
        } catch {
            return error.diagnostic
        }
    }
}

/// The first thing in a file that must not stand there: what the archive knows, then what is in a place for
/// what is skipped.
package func leak(
    in bytes: [UInt8], of path: String, _ search: LeakSearch?, leavingOut rules: Set<RedactionRule>
) -> Leak? {
    search?.leak(in: bytes, NumberForm(of: path))
        ?? typedLeak(in: bytes, of: path, leavingOut: rules, shown: search?.shown ?? ShownTexts())
}

/// The names of the rules by which a site says it leaves things out, in its `status.json`; nil when it does not say.
package func hiddenRules(by status: [UInt8]) -> [String]? {
    struct Status: Decodable {
        let leavesOut: [String]
    }
    return (try? JSONDecoder().decode(Status.self, from: Data(status)))?.leavesOut
}

extension LeakSearch {
    /// The search in what a build made of an input.
    init(_ facts: SensitiveFacts, of input: SiteInput) throws(Diagnostics) {
        self.init(
            facts, ownText: try Site.ownText(input),
            ownerTexts: OwnerTexts(try ownerTexts(input), own: input.knownPassages.own))
    }
}

/// What to look for in a finished site.
package struct StandingSearch: Sendable {
    /// For files as a build wrote them. The build looked for what strangers chose and the owner quoted: whoever sends an
    /// event later that is called as a page is makes no leak of it.
    private let built: LeakSearch
    /// For files that were changed or added since: whoever did may have written anything.
    private let changed: LeakSearch
    /// What a build wrote.
    private var manifest: SiteManifest?

    init(built: LeakSearch, changed: LeakSearch) {
        (self.built, self.changed) = (built, changed)
    }

    /// The search in the site of a folder.
    package func of(_ site: String) -> StandingSearch {
        var search = self
        search.manifest = (try? SiteManifest.read(in: site)) ?? nil
        return search
    }

    /// The search in one of its files.
    package func search(of path: String, _ bytes: [UInt8]) -> LeakSearch {
        manifest?.files[path] == SiteManifest.File(bytes) ? built : changed
    }
}

/// What to look for in a site of these apps that was made for an audience.
///
/// - Parameter history: reads what the archive knows of an app.
package func leakSearch(
    for audience: Audience, _ input: SiteInput, history: (App) throws(Diagnostics) -> AppHistory
) throws(Diagnostics) -> StandingSearch {
    var facts = SensitiveFacts()
    facts.known.insert(input.facts.title)
    for (app, _) in input.apps {
        var known = try history(app)
        known.notes = input.content.notes(of: app.id)
        facts.formUnion(
            AudienceRedaction(known, for: audience).sensitiveFacts(of: known, mutes: input.control.mutes))
    }
    let ownText = try ownText(input)
    return StandingSearch(
        built: LeakSearch(facts, ownText: ownText, ownerTexts: OwnerTexts([])),
        changed: LeakSearch(facts, ownText: ownText))
}

/// A leak in a file of the site; the text itself is not repeated, as the output of a build may be public too.
func diagnostic(_ leak: Leak, in file: String) -> Diagnostic {
    let fact = leak.fact
    let start = fact.text.prefix(min(4, fact.text.count / 2))
    let owner = fact.app.map { " of '\($0)'" } ?? ""
    return .error(
        "leak.\(fact.rule.rawValue)",
        "'\(file)' shows \(fact.rule.words)\(owner) hidden for this audience",
        details: ["line \(leak.line): '\(printable(String(start)))…', \(fact.text.count) characters"],
        hints: ["remove it; nothing was published"])
}

/// What the default theme and the methods say on every site.
func ownText(_ input: SiteInput) throws(Diagnostics) -> String {
    let folder = (input.theme.folders.last { $0.hasSuffix("/default") } ?? "") + "/templates"
    var text =
        fixedTexts.joined(separator: "\n") + "\n"
        + statements(of: standardRules).map(\.text).joined(separator: "\n")
    do throws(FileFailure) {
        for file in try filesBelow(folder) {
            text += String(decoding: try readFile("\(folder)/\(file)"), as: UTF8.self)
        }
    } catch {
        throw Diagnostics([error.diagnostic])
    }
    return text
}

/// What the owner of a site wrote that its files may repeat: the title, the content with its addresses, and the themes with
/// the names of their assets, but for the default one, whose text is the program's.
func ownerTexts(_ input: SiteInput) throws(Diagnostics) -> [String] {
    var texts = [input.facts.title] + input.content.texts
    do throws(FileFailure) {
        for folder in input.theme.folders.dropLast() {
            for file in try filesBelow(folder) {
                texts.append(String(decoding: try readFile("\(folder)/\(file)", limit: .max), as: UTF8.self))
                if file.hasPrefix("assets/") { texts.append(String(file.dropFirst("assets/".count))) }
            }
        }
    } catch {
        throw Diagnostics([error.diagnostic])
    }
    return texts
}
