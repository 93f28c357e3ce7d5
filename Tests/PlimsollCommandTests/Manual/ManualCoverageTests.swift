import Analysis
import Configuration
import Diagnostics
import Foundation
import Testing

/// What a reader must find in the manual.
struct ManualCoverageTests {
    @Test func everyProviderHasAPageAndARow() async throws {
        let (overview, keys) = (
            try ManualPage.named("providers/index"), try ManualPage.named("configuration")
        )
        let providers = try await providerNames()
        for name in providers {
            let page = try ManualPage.named("providers/\(name)")
            #expect(page.fences("yaml").contains { $0.body.contains("provider: \(name)\n") })
            #expect(overview.text.contains("| [`\(name)`](\(name).md) |"))
            #expect(keys.text.contains("| [`\(name)`](providers/\(name).md) |"))
        }
        let pages = ManualPage.all.filter { $0.path.contains("/providers/") }
        #expect(!providers.isEmpty && pages.count == providers.count + 1)
    }

    /// Documents with a key that does not exist: the program names those that do.
    @Test(arguments: [
        ("", "configuration"), ("retries:\n  ", "configuration"), ("targets:\n  ", "configuration"),
        ("clientCertificate:\n  ", "configuration"), ("audience:\n  ", "configuration"),
        ("apps:\n  - ", "configuration"), ("alerts:\n  ", "alerts"), ("alerts:\n  newIssue:\n    ", "alerts"),
        ("alerts:\n  stability:\n    ", "alerts"),
        ("publish:\n  - to: folder\n    ", "publishing"), ("publish:\n  - to: s3\n    ", "publishing"),
        ("publish:\n  - to: command\n    ", "publishing"), ("publish:\n  - to: git\n    ", "publishing"),
        ("attach:\n  - to: github-release\n    ", "attaching"),
        ("attach:\n  - to: gitlab-comment\n    ", "attaching"),
        ("attach:\n  - to: mattermost\n    ", "attaching"), ("attach:\n  - to: mail\n    ", "attaching"),
        ("attach:\n  - to: webhook\n    ", "attaching"), ("attach:\n  - to: github-step\n    ", "attaching"),
    ])
    func everyKeyIsDocumented(parent: String, page: String) async throws {
        let text = try ManualPage.named(page).text
        let keys = try await knownKeys(in: parent + "qqqqqqqqqqqqqqqq: 1\n")
        #expect(!keys.isEmpty)
        for key in keys { #expect(mentions(text, key), "\(key) is missing in \(page).md") }
    }

    @Test func everyKeyOfAProviderIsDocumented() async throws {
        let all = try ManualPage.named("configuration").text
        let shared: Set = [
            "provider", "id", "until", "formerly", "certificateAuthority", "clientCertificate",
        ]
        for name in try await providerNames() {
            let keys = try await knownKeys(
                in: "apps:\n  - id: a\n    sources:\n      - provider: \(name)\n        qqqqqqqqqqqqqqqq: 1\n"
            )
            #expect(keys.contains("provider"), "\(name)")
            let own = try ManualPage.named("providers/\(name)").text
            for key in keys {
                #expect(mentions(all, key), "\(key) is missing in configuration.md")
                if !shared.contains(key) { #expect(own.contains(key), "\(key) is missing in \(name).md") }
            }
        }
    }

    @Test func everyKeyOfMutesIsDocumented() throws {
        let text = try ManualPage.named("alerts").text
        for body in ["- qqqqqqqqqqqqqqqq: 1\n", "- untilLevel:\n    qqqqqqqqqqqqqqqq: 1\n"] {
            let hints = readMutes(body, path: "p", apps: []).1.filter { $0.id == "yaml.unknown-key" }.flatMap(
                \.hints)
            for key in hints.flatMap(offeredKeys) {
                #expect(mentions(text, key), "\(key) is missing in alerts.md")
            }
        }
        for kind in EventKind.allCases { #expect(text.contains("| `\(kind.key)` |"), "\(kind.key)") }
    }

    @Test func everyCommandIsInTheReadme() async throws {
        let readme = try ManualPage("README.md").text
        for command in try await CommandHelp.program.value.commands {
            #expect(readme.contains("`plimsoll \(command.commandName)`"), "\(command.commandName)")
        }
    }

    @Test func everyModuleIsOnTheCodeMap() throws {
        let map = try Folder.text(at: bundled + "/Sources/README.md")
        for name in try FileManager.default.contentsOfDirectory(atPath: bundled + "/Sources").sorted() {
            #expect(
                name == "README.md" || map.contains("`\(name)`"), "\(name) is missing in Sources/README.md")
        }
    }

    @Test func readmeIsShort() throws {
        #expect(try ManualPage("README.md").text.utf8.count <= 7000)
    }

    /// Links between the files of the checkout, with anchors as both a code host and the built site make them.
    @Test(arguments: ManualPage.allWithExamples)
    func everyLinkLeadsToAFile(page: ManualPage) throws {
        let folder = URL(filePath: "\(bundled)/\(page.path)").deletingLastPathComponent()
        for match in page.prose.matches(of: /\]\(([^)\s]+)\)/) {
            let parts = match.1.split(separator: "#", omittingEmptySubsequences: false)
            guard !match.1.contains("://") else { continue }
            let target = parts[0].isEmpty ? "\(bundled)/\(page.path)" : folder.appending(path: parts[0]).path
            #expect(FileManager.default.fileExists(atPath: target), "\(page.path): \(match.1)")
            guard parts.count == 2 else { continue }
            let headings = try Folder.text(at: target).matches(of: /(?m)^#+ (.*)$/).map(\.1)
            #expect(headings.contains { anchor(of: $0) == parts[1] }, "\(page.path): \(match.1)")
        }
    }
}

extension ManualPage {
    /// The text without its fenced blocks.
    fileprivate var prose: String { fences.reduce(text) { $0.replacing($1.body, with: "") } }
}

/// The anchor of a heading of plain words.
private func anchor(of heading: Substring) -> String {
    String(heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" })
        .replacing(" ", with: "-")
}

/// The providers as the program lists them.
private func providerNames() async throws -> [String] {
    let start = try await CommandHelp.program.value.command(at: ["init"])?.help
    return start?.ownArguments.first { $0.preferredName?.name == "provider" }?.allValues ?? []
}

/// The keys that the program offers in the place of an unknown one.
private func knownKeys(in configuration: String) async throws -> [String] {
    let folder = try Folder()
    try folder.write("plimsoll.yml", configuration)
    let run = try await Program.run("fetch", "--plan", in: folder)
    #expect(run.status == 2 && run.errors.contains("[yaml.unknown-key]"), "\(run.printed)")
    return run.errors.split(separator: "\n").filter { $0.contains("hint: use one of: ") }.flatMap {
        offeredKeys(String($0.drop { $0 != "h" }.dropFirst("hint: ".count)))
    }
}

/// The keys of a hint such as `use one of: title, url`.
private func offeredKeys(_ hint: String) -> [String] {
    guard let names = hint.split(separator: ": ", maxSplits: 1).last, names != hint else { return [] }
    return names.split(separator: ", ").map(String.init)
}

/// Whether a text has a key in code: alone, after a dot, or in an example.
private func mentions(_ text: String, _ key: String) -> Bool {
    ["`\(key)`", "`\(key).", ".\(key)`", "`\(key):", " \(key):"].contains(where: text.contains)
}
