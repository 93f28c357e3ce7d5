import AppHealth
import Diagnostics
import Settings
import Testing

@testable import Configuration

struct SoundConfigurationTests {
    /// As version 0.1 wrote it, and with the version that files have since.
    @Test(arguments: ["", "version: 1\n"])
    func olderConfigurationsAreRead(version: String) throws {
        let read = try configuration(
            version + """
                title: Harbour apps
                url: https://plimsoll.example/
                demo: true
                asOf: 2026-11-20T06:30:00Z
                content: ..
                targets:
                  target: 99
                  critical: 97
                apps:
                  - id: lighthouse
                    name: Lighthouse
                    platform: ios
                    targets: { target: 99.5, critical: 98 }
                    sources:
                      - provider: files
                        path: data
                """)
        #expect(read.title == "Harbour apps" && read.apps.count == 1)
    }

    @Test func everyKeyIsRead() throws {
        let read = try configuration(
            """
            title: Harbour apps
            url: https://stability.example/apps
            theme: paper
            output: out/site
            archive: var/history.sqlite
            content: words
            indexing: true
            demo: true
            asOf: 2026-11-20T06:30:00Z
            timeout: 15
            retries: {attempts: 4, seconds: 90, longestWait: 0}
            targets:
              target: 99.9
              critical: 99
            apps:
              - id: harbour
                name: Harbour
                platform: ios
                targets: {target: 98.5, critical: 97.25}
                sources:
                  - provider: bugsnag
                    id: crashes
                    project: harbour-ios
                    organization: quay
                    releaseStage: beta
                    url: https://bugsnag.example
                    token: ${HARBOUR_TOKEN}
                  - provider: files
                    id: usage
                    path: data
                    tokenFile: secrets/usage
              - id: lantern
                group: "  Lamps &  oil "
                sources: [{provider: files, path: data}]
            """)
        #expect(read.title == "Harbour apps")
        #expect(read.url == "https://stability.example/apps/")
        #expect(
            [read.theme, read.output, read.archive, read.content] == [
                "paper", "out/site", "var/history.sqlite", "words",
            ])
        #expect(read.isIndexed)
        #expect(read.isDemo)
        #expect(read.asOf == Instant("2026-11-20T06:30:00Z"))
        #expect(read.timeoutSeconds == 15)
        #expect(read.retries.attempts == 4 && read.retries.seconds == 90)
        #expect(read.retries.longestWaitSeconds == 0)
        #expect(read.apps.map(\.app.id.text) == ["harbour", "lantern"])
        #expect(read.apps.map(\.app.name) == ["Harbour", "lantern"])
        #expect(read.apps.map(\.app.platform) == ["ios", ""])
        #expect(read.apps.map(\.app.group) == [nil, "Lamps & oil"])
        #expect(read.apps.map { ($0.targets.target * 1e6).rounded() } == [985_000, 999_000])
        #expect(read.apps.map { ($0.targets.critical * 1e6).rounded() } == [972_500, 990_000])
    }

    @Test func everyKeyOfASourceIsRead() throws {
        let read = try configuration(
            source(
                """
                provider: bugsnag
                id: crashes
                project: harbour-ios
                organization: quay
                releaseStage: beta
                userDays: 3
                requests: 60
                url: https://bugsnag.example
                token: ${HARBOUR_TOKEN}
                """))
        let found = try #require(read.apps.first?.sources.first)
        #expect(found.id == Slug("crashes"))
        #expect(found.provider == "bugsnag")
        #expect(
            found.settings
                == SettingValues([
                    "project": .text("harbour-ios"), "organization": .text("quay"),
                    "releaseStage": .text("beta"), "userDays": .text("3"),
                    "requests": .text("60"),
                    "url": .text("https://bugsnag.example"), "token": .secret(.environment("HARBOUR_TOKEN")),
                ]))
    }

    @Test func whatIsAbsentHasADefault() throws {
        let read = try configuration(oneApp)
        #expect(read.title == "App stability")
        #expect(read.url == nil)
        #expect(
            [read.theme, read.output, read.archive, read.content] == [
                "default", "site", "archive.sqlite", "Content",
            ])
        #expect(!read.isIndexed)
        #expect(!read.isDemo)
        #expect(read.asOf == nil)
        #expect(read.timeoutSeconds == 60)
        #expect(read.retries.attempts == nil && read.retries.seconds == nil)
        #expect(read.apps.map(\.targets) == [.standard])
        #expect(read.apps.flatMap(\.sources).map(\.id.text) == ["files"])
    }

    @Test func bugsnagHasDefaults() throws {
        let read = try configuration(source("provider: bugsnag\nproject: harbour\ntokenFile: secret"))
        let source = try #require(read.apps.first?.sources.first)
        #expect(source.provider == "bugsnag")
        #expect(source.settings.text("organization") == nil)
        #expect(source.settings.text("releaseStage") == "production")
        #expect(source.settings.text("url") == "https://api.bugsnag.com")
        #expect(source.settings.secret("token") == .file("secret"))
    }

    @Test(arguments: [
        ("token: ${A}", SecretReference.environment("A")), ("token: ${_A9_b}", .environment("_A9_b")),
        ("token: '${QUOTED}'", .environment("QUOTED")), ("tokenFile: a b/c", .file("a b/c")),
    ])
    func secretsAreNamed(line: String, reference: SecretReference) throws {
        let read = try configuration(source("provider: files\npath: https://files.example/a.json\n" + line))
        let settings = try #require(read.apps.first?.sources.first?.settings)
        #expect(settings.text("path") == "https://files.example/a.json")
        #expect(settings.secret("token") == reference)
    }

    @Test(arguments: [
        ("{target: 99}", 0.99, 0.98), ("{target: 97}", 0.97, 0.97), ("{critical: 90}", 0.995, 0.9),
        ("{target: 100, critical: 100}", 1, 1), ("{target: 50, critical: 0.001}", 0.5, 0.00001),
        ("{}", 0.995, 0.98),
    ])
    func targetsArePerCent(text: String, target: Double, critical: Double) throws {
        let read = try configuration("targets: \(text)\n" + oneApp)
        let targets = try #require(read.apps.first?.targets)
        #expect(abs(targets.target - target) < 1e-12)
        #expect(abs(targets.critical - critical) < 1e-12)
    }

    @Test(arguments: [
        "\u{FEFF}" + oneApp, "---\n" + oneApp, "# words\n" + oneApp, oneApp.replacing("\n", with: "\r\n"),
        #"{"apps": [{"id": "harbour", "sources": [{"provider": "files", "path": "data"}]}]}"#,
    ])
    func yamlMayBeWrittenInSeveralWays(text: String) throws {
        #expect(try configuration(text).apps.map(\.app.id.text) == ["harbour"])
    }

    @Test func textsThatLookLikeNumbersStayTexts() throws {
        let read = try configuration("title: 2026\n" + oneApp.replacing("data", with: "0x10"))
        #expect(read.title == "2026")
        let settings = try #require(read.apps.first?.sources.first?.settings)
        #expect(settings == SettingValues(["path": .text("0x10")]))
    }

    @Test func anAnchorIsReplacedByItsValue() throws {
        let read = try configuration(
            """
            apps:
              - {id: harbour, targets: &levels {target: 97, critical: 90}, sources: [{provider: files, path: data}]}
              - {id: lantern, targets: *levels, sources: [{provider: files, path: data}]}
            """)
        #expect(read.apps.map(\.targets.target) == [0.97, 0.97])
    }

    /// What a path of a URL may not have as it is gets escaped, for every output at once.
    @Test(arguments: [
        ("https://status.example/Team%20A/\u{FC}", "https://status.example/Team%20A/%C3%BC/"),
        ("http://[::1]:8080", "http://[::1]:8080/"),
        ("https://a.example/~b/(c)@d/", "https://a.example/~b/(c)@d/"),
        ("https://a.example/<b>\"\\", "https://a.example/%3Cb%3E%22%5C/"),
    ])
    func theURLOfTheSiteIsEscaped(written: String, text: String) throws {
        #expect(try SiteAddress(written).text == text)
    }
}
