import Diagnostics
import Settings
import Testing

@testable import Configuration

struct FaultyConfigurationTests {
    @Test(arguments: [
        Case(
            "newer version", "version: 2\nwharf: x\n" + oneApp,
            "config.newer-version 1:1 install a newer version of plimsoll"),
        Case("odd version", "version: one\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("title", "titel: x\n" + oneApp, "yaml.unknown-key 1:1 did you mean 'title'?"),
        Case("case", "Theme: x\n" + oneApp, "yaml.unknown-key 1:1 did you mean 'theme'?"),
        Case(
            "two", "ouput: x\nachive: y\n" + oneApp,
            "yaml.unknown-key 1:1 did you mean 'output'?", "yaml.unknown-key 2:1 did you mean 'archive'?"),
        Case(
            "nothing near", "wharf: x\n" + oneApp,
            "yaml.unknown-key 1:1 use one of: version, title, id, url, theme, output, swap, keep, archive, content, indexing, audience, markdown, outputs, demo, asOf, timeout, timeBudget, retries, keepBackups, targets, alerts, apps, publish, attach, certificateAuthority, clientCertificate"
        ),
        Case(
            "targets", "targets: {target: 99, critcal: 98}\n" + oneApp,
            "yaml.unknown-key 1:23 did you mean 'critical'?"),
        Case(
            "app", "apps:\n  - id: a\n    platfrom: ios\n    sources: [{provider: files, path: data}]\n",
            "yaml.unknown-key 3:5 did you mean 'platform'?"),
        Case(
            "targets of an app",
            "apps:\n  - id: a\n    targets: {tagret: 1}\n    sources: [{provider: files, path: data}]\n",
            "yaml.unknown-key 3:15 did you mean 'target'?"),
        Case(
            "source", source("provider: files\npaht: data"),
            "yaml.unknown-key 5:9 did you mean 'path'?", "config.missing-key 4:9 add 'path'"),
        Case(
            "key of another provider", source("provider: files\npath: data\norganization: x"),
            "yaml.unknown-key 6:9 use one of: provider, id, until, path, token, tokenFile, columns, dates, preset, app, maxAge, certificateAuthority, clientCertificate"
        ),
        Case(
            "place is counted in characters", "{title: äöü🚢, thme: x, apps: []}",
            "yaml.unknown-key 1:15 did you mean 'theme'?"),
        Case(
            "key that is a list", "[a]: x\n" + oneApp,
            "yaml.unknown-key 1:1 use one of: version, title, id, url, theme, output, swap, keep, archive, content, indexing, audience, markdown, outputs, demo, asOf, timeout, timeBudget, retries, keepBackups, targets, alerts, apps, publish, attach, certificateAuthority, clientCertificate"
        ),
    ])
    func misspeltKeyIsReportedWithTheNearest(one: Case) { check(one) }

    @Test(arguments: [
        Case(
            "document", "- a\n",
            "yaml.wrong-type 1:1 write keys: version, title, id, url, theme, output, swap, keep, archive, content, indexing, audience, markdown, outputs, demo, asOf, timeout, timeBudget, retries, keepBackups, targets, alerts, apps, publish, attach, certificateAuthority, clientCertificate"
        ),
        Case("text", "title: [a]\n" + oneApp, "yaml.wrong-type 1:8"),
        Case("empty text", "title:\n" + oneApp, "yaml.wrong-type 1:7"),
        Case("flag", "indexing: yes\n" + oneApp, "yaml.wrong-type 1:11"),
        Case("flag as number", "demo: 1\n" + oneApp, "yaml.wrong-type 1:7"),
        Case("number", "timeout: soon\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("targets", "targets: 99\n" + oneApp, "yaml.wrong-type 1:10 write keys: target, critical"),
        Case("target", "targets: {target: high}\n" + oneApp, "yaml.wrong-type 1:19"),
        Case("apps", "apps: harbour\n", "yaml.wrong-type 1:7 start each element with '- '"),
        Case("apps as a mapping", "apps: {id: a}\n", "yaml.wrong-type 1:7 start each element with '- '"),
        Case(
            "app", "apps: [harbour]\n",
            "yaml.wrong-type 1:8 write keys: id, name, group, platform, targets, alerts, sources"
        ),
        Case("id", "apps: [{id: [a], sources: [{provider: files, path: data}]}]\n", "yaml.wrong-type 1:13"),
        Case(
            "sources", "apps: [{id: a, sources: files}]\n",
            "yaml.wrong-type 1:25 start each element with '- '"),
        Case(
            "source", "apps: [{id: a, sources: [files]}]\n",
            "yaml.wrong-type 1:26 begin it with 'provider: ' and one of: files, metrickit, bugsnag, sentry, glitchtip, bugsink, crashlytics, play, ga4, socorro, appstoreconnect, clickhouse, bigquery"
        ),
        Case("path", source("provider: files\npath: {a: b}"), "yaml.wrong-type 5:15"),
    ])
    func wrongTypeIsReported(one: Case) { check(one) }

    @Test(arguments: [
        Case("no attempt", "retries: {attempts: 0}\n" + oneApp, "yaml.wrong-type 1:21"),
        Case("too small", "timeout: 0\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("too large", "timeout: 3601\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("part of a backup", "keepBackups: 1.5\n" + oneApp, "yaml.wrong-type 1:14"),
        Case("part of a second", "timeout: 0.5\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("more than a second", "timeout: 3.7\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("part of a budget", "timeBudget: 60.5\n" + oneApp, "yaml.wrong-type 1:13"),
        Case("part of an attempt", "retries: {attempts: 2.9}\n" + oneApp, "yaml.wrong-type 1:21"),
        Case("part of a wait", "retries: {longestWait: 0.5}\n" + oneApp, "yaml.wrong-type 1:24"),
        Case("part of all attempts", "retries: {seconds: 9.9}\n" + oneApp, "yaml.wrong-type 1:20"),
        Case(
            "part of a request",
            source("provider: sentry\norganization: o\nproject: p\ntoken: ${T}\nrequests: 99.5"),
            "yaml.wrong-type 8:19"),
        Case("negative", "timeout: -1\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("huge", "timeout: 1e400\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("not a number", "timeout: nan\n" + oneApp, "yaml.wrong-type 1:10"),
        Case("target beyond", "targets: {target: 100.1}\n" + oneApp, "yaml.wrong-type 1:19"),
        Case("critical below", "targets: {critical: -1}\n" + oneApp, "yaml.wrong-type 1:21"),
    ])
    func numberOutOfRangeIsReported(one: Case) { check(one) }

    @Test(arguments: [
        "3", "0h", "9000d", "87841h", "-1d", "3 weeks", "h", "1.5d", "3 h x", "99999999999999999999d",
    ])
    func badAgeIsReported(age: String) {
        check(
            Case(
                age, source("provider: files\npath: data\nmaxAge: '\(age)'"),
                "config.bad-age 6:17 write it in hours or days, such as 36h or 3d"))
    }

    @Test(arguments: ["2026-02-30", "31.03.2026", "2026-03", "2026-03-31T00:00:00Z", "never"])
    func badEndIsReported(until: String) {
        check(
            Case(
                until, source("provider: files\nuntil: '\(until)'"),
                "config.bad-date 5:16 write it as 2026-12-01"))
    }

    @Test(arguments: [
        Case(
            "fraction", "targets: {target: 0.995}\n" + oneApp,
            "config.targets 1:10 write percent, not a fraction: 99.5 instead of 0.995"),
        Case(
            "fraction below", "targets: {target: 99.5, critical: 0.98}\n" + oneApp,
            "config.targets 1:10 write percent, not a fraction: 98.0 instead of 0.98"),
        Case(
            "wrong order", "targets: {target: 98, critical: 99}\n" + oneApp,
            "config.targets 1:10 write percent, such as target: 99.5 and critical: 98"),
        Case(
            "critical nothing", "targets: {critical: 0}\n" + oneApp,
            "config.targets 1:10 write percent, such as target: 99.5 and critical: 98"),
        Case(
            "above that of the site",
            "apps: [{id: a, targets: {critical: 99.9}, sources: [{provider: files, path: data}]}]\n",
            "config.targets 1:25 write percent, such as target: 99.5 and critical: 98"),
    ])
    func levelsInTheWrongOrderAreReported(one: Case) { check(one) }

    @Test(arguments: [
        "2026-11-20", "2026-11-20T06:00:00", "2026-02-30T06:00:00Z", "2026-11-20T24:00:00Z", "yesterday",
        "20.11.2026", "٢٠٢٦-١١-٢٠T06:00:00Z",
    ])
    func badDateIsReported(date: String) {
        check(
            Case(date, "asOf: '\(date)'\n" + oneApp, "config.bad-date 1:7 write it as 2026-11-20T06:00:00Z"))
    }

    @Test(arguments: [
        "stability.example", "ftp://a.example/", "https://a.example/?b", "https://a.example/#b",
        "https://a b/", "https://", "https:///a", "https://a.example/a/../b", "https://a.example/%2E/b",
        "https://a.example/%zz",
    ])
    func badAddressOfTheSiteIsReported(url: String) {
        check(Case(url, "url: '\(url)'\n" + oneApp, "config.bad-url 1:6 write it as https://host/path/"))
    }

    @Test(arguments: [
        (
            "https://ana:geheim99@a.example/x",
            "write the URL without them: every page, feed and summary has it"
        ),
        ("http://ana@a.example", "write the URL without them: every page, feed and summary has it"),
        ("https://ana:ge/heim@a.example/", "write the URL without them: every page, feed and summary has it"),
        ("https://ana:ge#heim@a.example/", "write the URL without them: every page, feed and summary has it"),
        ("ftp://ana:geheim@a.example/", "write the URL without them: every page, feed and summary has it"),
        (
            "https://b\u{FC}cher.example/",
            "write the host in Punycode, such as https://xn--bcher-kva.example/"
        ),
        ("https://a.example/x/index.html", "write the URL of the folder: without 'index.html'"),
    ])
    func anAddressThatHelpsNoReaderIsReported(url: String, hint: String) {
        check(Case(url, "url: '\(url)'\n" + oneApp, "config.bad-url 1:6 \(hint)"))
        let read = Result { () throws(SiteAddress.Fault) in try SiteAddress(url) }
        guard case .failure(let fault) = read else { return }
        // What is printed may be kept in a log.
        #expect(!fault.summary(of: url).contains("geheim99"))
    }

    @Test(arguments: [
        Case("empty", "", "config.empty - run 'plimsoll init' in an empty folder for a commented example"),
        Case(
            "comments", "# nothing\n",
            "config.empty - run 'plimsoll init' in an empty folder for a commented example"),
        Case(
            "no apps", "title: x\n",
            "config.no-apps 1:1 add a list 'apps' with an id and sources for each app, or 'apps: []' for a site of pages alone"
        ),
        Case(
            "no id", "apps:\n  - name: a\n    sources: [{provider: files, path: data}]\n",
            "config.no-id 2:5 add 'id' with lowercase letters, digits and '-'"),
        Case(
            "no sources", "apps:\n  - id: a\n",
            "config.no-sources 2:5 add a list 'sources' with a provider for each"),
        Case(
            "empty sources", "apps:\n  - id: a\n    sources: []\n",
            "config.no-sources 3:14 add a list 'sources' with a provider for each"),
        Case(
            "no provider", source("path: data"),
            "config.no-provider 4:9 add 'provider: ' with one of: files, metrickit, bugsnag, sentry, glitchtip, bugsink, crashlytics, play, ga4, socorro, appstoreconnect, clickhouse, bigquery"
        ),
        Case("no path", source("provider: files"), "config.missing-key 4:9 add 'path'"),
        Case("no project", source("provider: bugsnag\ntoken: ${A}"), "config.missing-key 4:9 add 'project'"),
        Case(
            "no token", source("provider: bugsnag\nproject: a"),
            "config.no-token 4:9 add 'token: ${BUGSNAG_TOKEN}' and set that variable, or 'tokenFile: path'"),
        Case(
            "unknown provider", source("provider: bugsnack\nproject: a"),
            "yaml.unknown-word 4:19 did you mean 'bugsnag'?"),
        Case("provider of another kind", source("provider: newrelic\nproject: a"), "yaml.unknown-word 4:19"),
    ])
    func whatIsMissingIsReported(one: Case) { check(one) }

    @Test(arguments: [
        ("Harbour", "harbour"), ("../etc", "etc"), ("a/b", "a-b"), ("-a", "a"), ("höhe", "h-he"),
        ("a b", "a-b"),
        (".", "x"),
    ])
    func badIdIsReportedWithOneThatWouldDo(id: String, like: String) throws {
        let (none, problems) = readConfiguration(
            "apps: [{id: '\(id)', sources: [{provider: files, path: data}]}]\n", path: "plimsoll.yml",
            sources: schemas)
        #expect(none == nil)
        let problem = try #require(problems.first)
        #expect(reported(problem).hasPrefix("config.bad-id 1:13 use lowercase letters"))
        #expect(problem.hints.first?.contains("for example '\(like)'") == true)
    }

    /// An id that breaks another rule than that of its letters, and the advice.
    @Test(arguments: [
        ("con", "use another name, as Windows reserves this one, for example 'app-con'"),
        ("aux.txt", "use another name, as Windows reserves this one, for example 'app-aux.txt'"),
        (
            String(repeating: "a", count: 81),
            "use at most 80 characters, for example '\(String(repeating: "a", count: 40))'"
        ),
        ("NUL", "use lowercase letters, digits, '.', '_' and '-', for example 'app-nul'"),
    ])
    func adviceOnAnIDIsNotTheIDItself(id: String, hint: String) {
        check(
            Case(
                id, "apps: [{id: '\(id)', sources: [{provider: files, path: data}]}]\n",
                "config.bad-id 1:13 \(hint)"))
    }

    @Test(arguments: [
        Case(
            "apps",
            "apps:\n  - {id: a, sources: [{provider: files, path: data}]}\n  - {id: b, sources: [{provider: files, path: data}]}\n  - {id: a, sources: [{provider: files, path: data}]}\n",
            "config.duplicate-app 4:5 change one of the ids"),
        Case(
            "sources",
            "apps:\n  - id: a\n    sources:\n      - {provider: files, path: x}\n      - {provider: files, path: y}\n",
            "config.duplicate-source 2:5 change one of the ids"),
        Case(
            "bad id of a source", source("provider: files\npath: data\nid: A B"),
            "config.bad-id 6:13 use lowercase letters, digits and '-'"),
    ])
    func duplicatesAreRefused(one: Case) { check(one) }

    @Test(arguments: [
        ("a list", "[x]", "yaml.wrong-type 2:62"), ("blank", "' '", groupFault),
        ("control", "\"a\\u0007\"", groupFault),
        ("turned", "\"a\\u202Eb\"", groupFault),
        ("long", String(repeating: "x", count: 81), "config.group 2:62 shorten it"),
    ])
    func badGroupIsRefused(name: String, group: String, problem: String) {
        check(
            Case(
                name, "apps:\n  - {id: a, sources: [{provider: files, path: data}], group: \(group)}\n",
                problem))
    }

    /// Two spellings make two groups, which is allowed.
    @Test func groupThatDiffersInCaseIsPointedOut() {
        check(
            Case(
                "case",
                "apps:\n"
                    + ["Photo tools", "Lamps", "photo Tools", "Photo tools"].enumerated().map {
                        "  - {id: a\($0.offset), sources: [{provider: files, path: data}], group: \($0.element)}\n"
                    }.joined(), "config.near-group 4:5 write one of them in both apps to have one group"))
    }

    @Test(arguments: [
        "abc123", "$TOKEN", "${}", "${A B}", "${A", "$A}", "x${A}", "${A}x", "${A-b}", "${Ä}", "}", "$", "${",
        "{A}",
    ])
    func writtenTokenIsRefusedAndNotRepeated(token: String) throws {
        let text = source("provider: bugsnag\nproject: a\ntoken: '\(token)'")
        check(
            Case(
                token, text,
                "config.literal-token 6:16 use 'token: ${NAME}' with an environment variable, or 'tokenFile: path'"
            ))
        let (_, problems) = readConfiguration(text, path: "plimsoll.yml", sources: schemas)
        #expect(!problems.contains { $0.summary.contains("abc123") })
    }

    @Test func hintNamesTheFirstOfManyApps() {
        let ids = (100..<1100).map { "app-\($0)" }
        let apps = ids.map { "  - {id: \($0), sources: [{provider: files, path: data}]}\n" }.joined()
        let chat = BlockSchema("chat", title: "Chat", summary: "A message", keys: [])
        let (_, problems) = readConfiguration(
            "attach: [{to: chat, app: zzzzzz}]\napps:\n" + apps, path: "plimsoll.yml", sources: schemas,
            attachments: [chat])
        let named = ids.prefix(20).joined(separator: ", ")
        #expect(problems.map(reported).contains("config.unknown-app 1:26 use one of: \(named)"))
    }

    @Test func allFaultsOfAFileAreReportedAtOnce() {
        check(
            Case(
                "all",
                "titel: x\nasOf: now\ntimeout: 0\napps:\n  - id: A\n    sources: [{provider: files, path: data}]\n  - id: b\n    sources: [{provider: fles}]\n",
                "yaml.unknown-key 1:1 did you mean 'title'?", "yaml.wrong-type 3:10",
                "config.bad-id 5:9 use lowercase letters, digits, '.', '_' and '-', for example 'a'",
                "yaml.unknown-word 8:26 did you mean 'files'?",
                "config.bad-date 2:7 write it as 2026-11-20T06:00:00Z"))
    }
}

private let groupFault = "config.group 2:62 write one line of plain text, such as 'group: Photo tools'"
