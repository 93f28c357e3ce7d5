import Markup
import Templates

/// A small family of models, one field of every kind.
struct Release: TemplateModel {
    var version = "4.2.1"
    var note: String? = nil
    var users = 1234
    var isCurrent = true
    var home = "releases/4.2.1/"
    var source: String? = nil
    var chart = Markup(trusted: "<svg/>", language: .xml)
    var summary: Markup? = nil
    var tags: [String] = []
    var issues: [Issue] = []
    var worst: Issue? = nil
    var app = App()
    var event: any TemplateModel = Alert()

    static let modelName = "release"
    static let fields: [Field<Release>] = [
        .text("version", "The version, such as `4.2.1`.", \.version),
        .optionalText("note", "What the team wrote.", \.note),
        .number("users", "Users of the day, such as `1234`.", \.users),
        .flag("current", "Whether it is the newest.", \.isCurrent),
        .url("home", "Its page.", \.home),
        .optionalUrl("source", "Where the code is.", \.source),
        .markup("chart", "The chart.") { release, _ in release.chart },
        .optionalMarkup("summary", "The summary.") { release, _ in release.summary },
        .texts("tags", "Its tags.", \.tags),
        .list("issues", "Its issues.", \.issues),
        .optional("worst", "The worst issue.", \.worst),
        .model("app", "The app.", \.app),
        .view("event", "The newest event.", of: [Alert.self, Issue.self], \.event),
    ]
}

struct App: TemplateModel {
    var name = "Weather & Co"
    static let modelName = "app"
    static let fields: [Field<App>] = [.text("name", "The name, such as `Weather`.", \.name)]
}

struct Issue: TemplateModel {
    var title = "Crash"
    var related: [Issue] = []
    static let modelName = "issue"
    static let fields: [Field<Issue>] = [
        .text("title", "The title.", \.title), .list("related", "Issues like it.", \.related),
    ]
}

struct Alert: TemplateModel {
    var words = "Crash free users dropped"
    static let modelName = "stability-alert"
    static let fields: [Field<Alert>] = [.text("words", "What happened.", \.words)]
}

struct Stranger: TemplateModel {
    static let modelName = "stranger"
    static let fields: [Field<Stranger>] = []
}

/// Loads `page` with partials by name; all in one language.
func load(
    _ page: String, _ partials: [String: String] = [:], in language: OutputLanguage = .html
) throws(TemplateErrors) -> Template<Release> {
    let sources = partials.sorted { $0.key < $1.key }.map { name, text in
        TemplateSource(path: "partials/\(name)", name: name, language: language, text: text)
    }
    let source = TemplateSource(path: "templates/page", name: "page", language: language, text: page)
    var library = TemplateLibrary { role, name, wanted in
        if role == .page, name == source.name { return .found(source) }
        let found = sources.first { role == .partial && $0.name == name && $0.language == wanted }
        return found.map { .found($0) } ?? .missing(lookedIn: ["site/\(name)", "themes/default/\(name)"])
    }
    return try library.template("page", in: language)
}
