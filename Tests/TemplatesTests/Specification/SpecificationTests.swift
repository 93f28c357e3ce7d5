import Diagnostics
import Foundation
import Markup
import Testing

@testable import Templates

/// The official suite of the Mustache specification, run through the same parser, resolver and executor as pages.
struct SpecificationTests {
    @Test(.enabled(if: !SpecCase.all.isEmpty), arguments: SpecCase.all)
    func followsTheSpecification(test: SpecCase) throws {
        let outcome = Outcome(of: test)
        if let problem = inexpressible[test.id] {
            #expect(outcome == .refused(problem.id), "\(problem.reason)")
        } else {
            #expect(outcome == .written(test.expected))
        }
    }

    @Test(.enabled(if: !SpecCase.all.isEmpty))
    func namesOnlyCasesThatExist() {
        let known = Set(SpecCase.all.map(\.id))
        #expect(Set(inexpressible.keys).union(declared.keys).subtracting(known) == [])
    }

    @Test(.enabled(if: !SpecCase.all.isEmpty))
    func runsTheWholeSuite() {
        #expect(SpecCase.all.count == 184)
    }
}

/// What became of a case.
private enum Outcome: Equatable {
    case written(String)
    case refused(String)

    init(of test: SpecCase) {
        let tags = SpecTags([test.template] + (test.partials ?? [:]).values.sorted())
        var shape = SpecShape(of: test.data, name: ".", tags: tags)
        if let json = declared[test.id],
            let missing = try? JSONDecoder().decode(SpecValue.self, from: Data(json.utf8))
        {
            shape = shape.merged(with: SpecShape(of: missing, name: ".", tags: tags))
        }
        var sources = (test.partials ?? [:]).sorted { $0.key < $1.key }.map { name, text in
            TemplateSource(path: "\(name).html", name: name, language: .html, text: text)
        }
        sources.append(
            TemplateSource(path: "page.html", name: "(page)", language: .html, text: test.template))
        var library = TemplateLibrary(sources)
        do {
            let (program, routine) = try library.resolve(
                .page, "(page)", for: shape.schema("page"), in: .html)
            var writer = ByteWriter()
            _ = withUnsafePointer(to: test.data) {
                Execution.run(program, routine: routine, page: UnsafeRawPointer($0), into: &writer)
            }
            self = .written(writer.text)
        } catch {
            self = .refused(error.diagnostics.map(\.id).joined(separator: " "))
        }
    }
}

/// Names that a case looks up in vain: a typed model has to declare them, here as absent values.
private let declared: [String: String] = [
    "interpolation 16 Basic Context Miss Interpolation": #"{"cannot": null}"#,
    "interpolation 17 Triple Mustache Context Miss Interpolation": #"{"cannot": null}"#,
    "interpolation 18 Ampersand Context Miss Interpolation": #"{"cannot": null}"#,
    "interpolation 23 Dotted Names - Broken Chains": #"{"a": {"b": {"c": null}}}"#,
    "interpolation 24 Dotted Names - Broken Chain Resolution": #"{"a": {"b": {"c": {"name": null}}}}"#,
    "interpolation 26 Dotted Names - Context Precedence": #"{"a": {"b": {"c": null}}}"#,
    "interpolation 27 Dotted Names are never single keys": #"{"a": {"b": null}}"#,
    "inverted 4 Context": #"{"name": null}"#,
    "inverted 5 List": #"{"n": null}"#,
    "inverted 10 Context Misses": #"{"missing": null}"#,
    "inverted 13 Dotted Names - Broken Chains": #"{"a": {"b": {"c": null}}}"#,
    "sections 14 Context Misses": #"{"missing": null}"#,
    "sections 25 Dotted Names - Broken Chains": #"{"a": {"b": {"c": null}}}"#,
    "~dynamic-names 3 Context Misses - Partial": #"{"missing": "missing"}"#,
    "~dynamic-names 8 Dotted Names - Failed Lookup": #"{"text": null}"#,
    "~dynamic-names 11 Dotted names - Context Stacking Failed Lookup": #"{"value": null}"#,
    "~inheritance 5 Negative Sections": #"{"bar": null}"#,
]

/// What a typed engine cannot express, with the error it gives instead.
private let inexpressible: [String: (id: String, reason: String)] = [
    "partials 2 Failed Lookup": (
        "template.missing-partial", "A missing partial is an error, not nothing."
    ),
    "~dynamic-names 4 Failed Lookup - Partial": (
        "template.missing-partial", "A missing partial is an error, not nothing."
    ),
    "~dynamic-names 7 Dotted Names - Operator Precedence": (
        "template.wrong-kind", "The name goes through a value that is no model and has no fields."
    ),
    "~dynamic-names 13 Dynamic Names - Double Dereferencing": (
        "template.unknown-name", "No field can be called '*dynamic', and an unknown name is an error."
    ),
    "~dynamic-names 14 Dynamic Names - Composed Dereferencing": (
        "template.wrong-kind", "The name goes through a value that is no model and has no fields."
    ),
]
