import Diagnostics
import Markup
import Templates
import Testing

/// `{{asset.…}}`: addresses that are looked up when a template is loaded.
struct AssetTests {
    private static let assets = TemplateAssets(
        addresses: [
            "site.css": "assets/site.0a1b2c3d4e.css", "fonts/text.woff2": "assets/fonts/text.ff.woff2",
            "a&b.svg": "assets/a&b.svg",
        ],
        places: { ["Themes/paper/assets/\($0)", "Themes/default/assets/\($0)"] })

    private func load(
        _ text: String, assets: TemplateAssets? = assets
    ) throws(TemplateErrors) -> Template<Tile> {
        let source = TemplateSource(path: "templates/page", name: "page", language: .html, text: text)
        var library = TemplateLibrary(
            lookup: { _, name, _ in name == "page" ? .found(source) : .missing(lookedIn: []) },
            assets: assets)
        return try library.template("page", for: Tile.self, in: .html)
    }

    @Test(arguments: [
        ("{{asset.site.css}}", "assets/site.0a1b2c3d4e.css"),
        ("<{{root}}{{asset.site.css}}>", "<../assets/site.0a1b2c3d4e.css>"),
        ("{{asset.fonts/text.woff2}}", "assets/fonts/text.ff.woff2"),
        ("{{asset.a&b.svg}}", "assets/a&amp;b.svg"),
        ("{{#list}}{{asset.site.css}} {{/list}}", "assets/site.0a1b2c3d4e.css assets/site.0a1b2c3d4e.css "),
    ])
    func addressIsWritten(text: String, expected: String) throws {
        #expect(try load(text).rendered(Tile()) == expected)
    }

    @Test(arguments: [
        (
            "é\n {{asset.stie.css}}", "template.missing-asset templates/page:2:2",
            "did you mean {{asset.site.css}}?"
        ),
        (
            "{{asset.logo-of-the-team.png}}", "template.missing-asset templates/page:1:1",
            "add the file or correct the name"
        ),
        ("{{asset}}", "template.missing-asset templates/page:1:1", "add the file or correct the name"),
        ("{{{asset.site.css}}}", "template.raw-text templates/page:1:1", "write {{asset.site.css}}"),
        ("{{#asset.site.css}}{{/asset.site.css}}", "template.wrong-kind templates/page:1:1", ""),
    ])
    func mistakeIsReportedWhenItIsLoaded(text: String, place: String, hint: String) {
        do throws(TemplateErrors) {
            _ = try load(text)
            Testing.Issue.record("loaded")
        } catch {
            let reported = error.diagnostics.map { "\($0.id) \($0.location?.description ?? "")" }
            #expect(reported == [place])
            if !hint.isEmpty { #expect(error.diagnostics.first?.hints == [hint]) }
        }
    }

    @Test func messageListsThePlacesAndTheNames() {
        do throws(TemplateErrors) {
            _ = try load("{{asset.none.css}}")
        } catch {
            #expect(
                error.diagnostics.first?.details == [
                    "known: a&b.svg, fonts/text.woff2, site.css",
                    "searched: Themes/paper/assets/none.css, Themes/default/assets/none.css",
                ])
        }
    }

    @Test func withoutAssetsTheNameIsLikeAnyOther() throws {
        #expect(try load("{{asset}}", assets: nil).rendered(Tile()) == "field")
    }
}

private struct Tile: TemplateModel {
    static let modelName = "tile"
    var root = "../"
    static let fields: [Field<Tile>] = [
        .text("asset", "A field that has the name") { _ in "field" }, .url("root", "The top", \.root),
        .texts("list", "Two") { _ in ["a", "b"] },
    ]
}
