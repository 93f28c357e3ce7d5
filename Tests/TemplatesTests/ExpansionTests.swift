import Diagnostics
import Markup
import Testing

@testable import Templates

/// Templates that multiply each other, or go too deep, are refused with the tag where it became too much.
struct ExpansionTests {
    private func diagnostics(_ page: String, _ partials: [String: String] = [:]) -> [Diagnostic] {
        do {
            _ = try load(page, partials)
            return []
        } catch {
            return error.diagnostics
        }
    }

    private func mistakes(_ page: String, _ partials: [String: String] = [:]) -> [String] {
        diagnostics(page, partials).map { "\($0.id) \($0.location.map { "\($0)" } ?? "")" }
    }

    /// Each block holds the next one twice.
    private func doubling(_ count: Int) -> String {
        let blocks = (0..<count).map {
            "{{$b\($0)}}{{$b\($0 + 1)}}{{/b\($0 + 1)}}{{$b\($0 + 1)}}{{/b\($0 + 1)}}{{/b\($0)}}\n"
        }
        return "{{<lay}}\n" + blocks.joined() + "{{/lay}}"
    }

    @Test func blocksThatMultiplyEachOtherEnd() throws {
        let layout = ["lay": "{{$b0}}{{/b0}}"]
        #expect(mistakes(doubling(10), layout) == [])
        let found = mistakes(doubling(40), layout)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("template.too-large templates/page:") == true, "\(found)")
    }

    /// Text that is in each of them.
    @Test func textThatIsMultipliedEnds() {
        let text = String(repeating: "x", count: 1 << 20)
        let page = "{{<lay}}{{$b}}\(text){{/b}}{{/lay}}"
        let found = mistakes(page, ["lay": String(repeating: "{{$b}}{{/b}}\n", count: 100)])
        #expect(
            found.count == 1 && found.first?.hasPrefix("template.too-large partials/lay:6") == true,
            "\(found)")
    }

    @Test func partialsAreInEachOtherUpToADepth() {
        func chain(_ count: Int) -> [String: String] {
            let all = (0..<count).map { ("p\($0)", $0 + 1 < count ? "{{>p\($0 + 1)}}" : "") }
            return Dictionary(uniqueKeysWithValues: all)
        }
        #expect(mistakes("{{>p0}}", chain(499)) == [])
        #expect(mistakes("{{>p0}}", chain(5000)) == ["template.nested-too-deeply partials/p499:1:1"])
    }

    /// The page itself is one of them.
    @Test(arguments: [(19_999, true), (20_000, false)])
    func partialsAreCounted(count: Int, isFine: Bool) {
        let page = (1...count).map { "{{>p\($0)}}\n" }.joined()
        var library = TemplateLibrary { role, name, language in
            .found(
                TemplateSource(path: name, name: name, language: language, text: role == .page ? page : ""))
        }
        var mistakes: [Diagnostic] = []
        do throws(TemplateErrors) {
            _ = try library.template("page", for: Release.self, in: .html)
        } catch {
            mistakes = error.diagnostics
        }
        #expect(
            mistakes.map { "\($0.id) \($0.location.map { "\($0)" } ?? "")" }
                == (isFine ? [] : ["template.too-large page:20000:1"]))
    }

    /// Sections in partials: what takes the most of the stack.
    @Test func sectionsAndPartialsAreCountedTogether() {
        let open = String(repeating: "{{#worst}}{{#related}}", count: 49)
        let close = String(repeating: "{{/related}}{{/worst}}", count: 49)
        let partials = Dictionary(
            uniqueKeysWithValues: (0..<100).map { ("p\($0)", "\n\(open)\n{{>p\($0 + 1)}}\n\(close)") })
        let found = mistakes("{{>p0}}", partials)
        #expect(
            found.count == 1 && found.first?.hasPrefix("template.nested-too-deeply partials/p5:2:") == true,
            "\(found)")
    }

    @Test func layoutsAreMadeFromEachOtherUpToADepth() {
        let layouts = (0..<5000).map { ("l\($0)", "{{<l\($0 + 1)}}{{$x}}{{/x}}{{/l\($0 + 1)}}") }
        let found = mistakes(
            "{{<l0}}{{$x}}{{/x}}{{/l0}}",
            Dictionary(uniqueKeysWithValues: layouts + [("l5000", "{{$x}}{{/x}}")]))
        #expect(found.count == 1 && found.first?.hasPrefix("template.") == true, "\(found)")
    }

    /// What one page has too much of is not gone through for each of the others.
    @Test func theNextTemplateIsNotTried() throws {
        var library = TemplateLibrary([
            TemplateSource(path: "templates/page", name: "page", language: .html, text: doubling(40)),
            TemplateSource(path: "partials/lay", name: "lay", language: .html, text: "{{$b0}}{{/b0}}"),
            TemplateSource(path: "templates/next", name: "next", language: .html, text: "x"),
        ])
        for name in ["page", "next"] {
            let thrown = #expect(throws: TemplateErrors.self) {
                try library.template(name, for: Release.self, in: .html)
            }
            #expect(thrown?.errors.map(\.path) == ["templates/page"])
        }
    }

    /// A program that is asked to stop does not go on until the bound.
    @Test func aCanceledTaskStops() async throws {
        let stopped = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return diagnostics("{{version}}")
        }
        let found = await stopped.value
        #expect(found.map(\.id) == ["template.interrupted"] && found.first?.location == nil)
        #expect(found.first?.gravity == .nothingDone)
    }

    @Test(arguments: [
        ([(0, 1), (1, 2)], []), ([(0, 0)], [0]), ([(0, 1), (1, 0), (1, 2)], [0, 1]),
        ([(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 3), (4, 5)], [1, 2, 4, 5]),
        ([(5, 4), (4, 3), (3, 5), (3, 0), (0, 1), (1, 2), (2, 0)], [0, 1, 2, 4, 5, 6]),
    ])
    func callsThatComeBackAreFound(calls: [(Int, Int)], circular: [Int]) {
        let cycles = CallCycles(calls.map { (from: $0.0, to: $0.1) })
        let found = calls.indices.filter { cycles.contains(from: calls[$0].0, to: calls[$0].1) }
        #expect(found == circular)
    }
}
