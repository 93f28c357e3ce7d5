import Foundation
import Testing

struct ExplainTests {
    private func explain(_ arguments: String...) async throws -> Run {
        let project = try await DemoProject()
        return try await Program.run(Program.path, ["explain"] + arguments, in: project.folder.path)
    }

    @Test(arguments: [
        "apps/sketchbook", "/apps/sketchbook/", "apps/sketchbook/index.html", "apps/sketchbook/index.md",
    ]) func pageIsNamedAsPeopleCopyIt(page: String) async throws {
        let run = try await explain(page, "crash-free-users")
        #expect(run.status == 0, "\(run.errors)")
        let text = run.output.replacing("\u{A0}", with: " ")
        #expect(
            text.hasPrefix(
                "apps/sketchbook/index\n\n  crash-free-users: Crash-free users 98.55% (98.39–98.70)\n"))
        #expect(text.contains("formula    1 − 331 ÷ 22,884 = 98.55%"))
        #expect(text.contains("95% Wilson score interval of 22,553 of 22,884: 98.39–98.70"))
        #expect(text.contains("captured   2026-11-20T06:00:00Z"))
        #expect(text.contains("a user     One account; without an account, one installation."))
        #expect(!text.contains("crash-free-sessions"))
    }

    @Test(arguments: [
        ("apps/sketchbook/days/2026-11-18", "crash-free-sessions: "), ("/", "tidepool/crash-free-users: "),
        ("apps/sketchbook/releases/4.3.0", "session-adoption: "), ("apps/sketchbook/usage", "stickiness: "),
        ("apps/sketchbook/issues", "/events-in-28-days: "), ("crash-free-users", "apps/tidepool/index\n"),
        ("apps/sketchbook/activity", "sketchbook-stability-2026-11-17/why-it-fell: "),
        ("weeks/2026-W46", "weeks/2026-W46/index\n\n  lighthouse/crash-free-"),
        ("weeks/2026-W46", "sketchbook/error-budget: "), ("weeks/2026-W46", "tidepool/change: "),
    ]) func everyPageIsExplained(page: String, reported: String) async throws {
        let run = try await explain(page)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(reported), "\(page)")
    }

    /// A change has its sign, and its unit is with the number.
    @Test(arguments: [
        ("apps/sketchbook/activity", "change: Change of crash-free users −0."),
        ("apps/sketchbook", "why-it-fell: Drop of crash-free sessions 0.77 pp\n"),
    ]) func changeIsWrittenOnce(page: String, line: String) async throws {
        let run = try await explain(page)
        #expect(run.output.replacing("\u{A0}", with: " ").contains(line), "\(run.output)")
        #expect(run.output.firstMatch(of: /Drop of [a-z -]* −/) == nil)
    }

    /// Every number that is explained for a page is on that page of the site.
    @Test(arguments: [
        "apps/sketchbook", "apps/lighthouse/usage", "apps/sketchbook/releases/4.3.0",
        "apps/sketchbook/days/2026-11-18", "apps/tidepool", "apps/sketchbook/activity",
        "apps/sketchbook/activity/2026-W42",
    ]) func explainedNumberIsOnThePage(page: String) async throws {
        let run = try await explain(page, "--format", "json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let html = try await DemoSite.shared.tree[page + "/index.html"]
        let pages = try #require(document["pages"] as? [[String: Any]])
        let numbers = try #require(pages.first?["numbers"] as? [[String: Any]])
        #expect(document["format"] as? String == "plimsoll-explain" && !numbers.isEmpty)
        for number in numbers {
            let value = try #require(number["value"] as? String)
            let shown = value.replacing("\u{A0}", with: " ")
            let id = number["id"] as? String ?? ""
            // The change is on the entry page and in the summary; other names with a place are of other pages.
            if page.contains("/activity") || (id != "change" && id != "error-budget" && !id.contains("/")) {
                #expect(html.replacing("\u{A0}", with: " ").contains(shown), "\(id) \(shown)")
            }
        }
    }

    /// Every number of a week is on its page; of a public report too.
    @Test(arguments: [true, false]) func numbersOfWeeksAreOnTheirPage(isPublic: Bool) async throws {
        let project = isPublic ? try await DemoProject.forEverybody : try await DemoProject()
        let json = try await Program.run(
            Program.path, ["explain", "weeks/2026-W46", "--format", "json"], in: project.folder.path)
        let shown = try await Program.run(
            Program.path, ["show", "--page", "weeks/2026-W46", "--dialect", "github"], in: project.folder.path
        )
        #expect(json.status == 0 && shown.status == 0, "\(json.errors) \(shown.errors)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let pages = try #require(document["pages"] as? [[String: Any]])
        let numbers = try #require(pages.first?["numbers"] as? [[String: Any]])
        #expect(numbers.count >= 7)
        let page = shown.output.replacing("\u{A0}", with: " ")
        for number in numbers {
            for text in [number["value"], number["interval"]].compactMap({ $0 as? String }) {
                #expect(page.contains(text.replacing("\u{A0}", with: " ")), "\(number["id"] ?? ""): \(text)")
            }
        }
    }

    /// Of a public report, numbers are those of its pages, and no count comes out that the team alone sees.
    @Test(arguments: [
        "apps/sketchbook", "apps/sketchbook/days/2026-11-17", "apps/sketchbook/releases/4.3.0",
        "apps/sketchbook/activity", "apps/sketchbook/issues", "apps/lighthouse/usage", "apps/tidepool",
        "/",
    ]) func publicNumbersAreThoseOfThePages(page: String) async throws {
        let team = try await explain(page)
        let project = try await DemoProject.forEverybody
        func run(_ arguments: String...) async throws -> Run {
            let run = try await Program.run(Program.path, arguments, in: project.folder.path)
            #expect(run.status == 0, "\(run.errors)")
            return run
        }
        let text = try await run("explain", page)
        let exact = Set(team.output.matches(of: /[0-9]{1,3}(,[0-9]{3})+/).map { String($0.output.0) })
        let found = Set(text.output.matches(of: /[0-9]{1,3}(,[0-9]{3})+/).map { String($0.output.0) })
        #expect(found.isDisjoint(with: exact), "\(found.intersection(exact))")
        guard page != "/" else { return }
        let shown = try await run("show", "--page", page)
        let json = try await run("explain", page, "--format", "json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let pages = try #require(document["pages"] as? [[String: Any]])
        // The lines of a terminal are folded.
        let plain = shown.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for number in try #require(pages.first?["numbers"] as? [[String: Any]]) {
            guard let id = number["id"] as? String, !id.contains("/"), id != "change", id != "error-budget"
            else { continue }
            let interval = id.hasPrefix("crash-free") ? number["interval"] : nil
            for text in [number["value"], interval].compactMap({ $0 as? String }) {
                #expect(plain.contains(text.replacing("\u{A0}", with: " ")), "\(id): \(text)")
            }
        }
    }

    @Test(arguments: [
        (["apps/sketchbok"], "Unknown page 'apps/sketchbok'", "did you mean 'apps/sketchbook'?"),
        (["apps/sketchbook", "crash-free-user"], "Unknown number", "did you mean 'crash-free-users'?"),
        (
            ["apps/sketchbook/releases/4.3.9"], "Unknown page",
            "did you mean 'apps/sketchbook/releases/4.3.0'?"
        ),
        (["crash-free-use"], "Unknown number", "did you mean 'crash-free-users'?"),
        (["apps"], "Unknown page 'apps'", "use one of: apps/lighthouse"),
        (["weeks/2026-W48"], "Unknown page 'weeks/2026-W48'", " to 'weeks/2026-W46'"),
        (
            ["apps/sketchbook/days/2026-11-30"], "Unknown page 'apps/sketchbook/days/2026-11-30'",
            " to 'apps/sketchbook/days/2026-11-19'"
        ),
        (["guide"], "Page 'guide' has no numbers of its own", "explain the page of an app"),
        (["methods"], "Page 'methods' has no numbers of its own", "explain the page of an app"),
        (["pages/about"], "Unknown page", "use one of:"),
        (["/", "nothing-like-it"], "Unknown number", "use one of:"),
    ]) func unknownNameIsReported(arguments: [String], reported: String, hint: String) async throws {
        let project = try await DemoProject()
        let run = try await Program.run(Program.path, ["explain"] + arguments, in: project.folder.path)
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.contains(reported) && run.errors.contains(hint), "\(run.errors)")
    }
}

struct FailedCheckCommandTests {
    @Test func demoIsAtOddsWithItselfNowhere() async throws {
        let tree = try await DemoSite.shared.tree
        #expect(tree.files(with: "failed-checks") == [] && tree.files(with: "Failed checks") == [])
    }

    @Test func failedCheckEndsWithOneAndIsReported() async throws {
        let project = try await DemoProject()
        try project.folder.write("Themes/paper/templates/partials/figures.md", "{{#tiles}}{{/tiles}}\n")
        let text = try Folder.text(at: project.folder.path + "/plimsoll.yml")
        let isNamed = text.contains("theme:")
        try project.folder.write("plimsoll.yml", isNamed ? text : text + "\ntheme: paper\n")
        let run = try await Program.run("build", in: project.folder)
        #expect(run.status == 1, "\(run.errors)")
        #expect(
            run.errors.contains("[check.markdown]") && run.errors.contains("at apps/lighthouse/index.html"))
        #expect(run.errors.contains("Markdown: absent"))
    }
}
