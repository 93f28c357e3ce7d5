package import Templates

/// A release that was judged for the first time.
package struct ReleaseVerdictView: TemplateModel {
    package static let modelName = "release-verdict"
    package var sentence: String
    package var verdict: VerdictView
    package var version: String
    package var stem: String?

    package static let fields: [Field<ReleaseVerdictView>] = [
        .text("sentence", "`Release 4.3.0 is judged: hold. Crash-free sessions …`", \.sentence),
        .model("verdict", "The verdict as of that day", \.verdict),
        .text("version", "The release's label", \.version),
        .optionalUrl("stem", "The address of the release's page without ending", \.stem),
    ]
}
