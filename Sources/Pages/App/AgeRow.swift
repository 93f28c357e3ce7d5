package import Templates

/// One release at the age, and at the number of sessions, of the release of the page.
package struct AgeRow: TemplateModel {
    package static let modelName = "age-row"
    package var version: String
    package var stem: String?
    package var isOwn: Bool
    package var sessions: String
    package var crashFree: String
    package var atSessions: String

    package static let fields: [Field<AgeRow>] = [
        .text("version", "The release's label", \.version),
        .optionalUrl(
            "stem", "The address of its page without ending; absent for the release of the page", \.stem),
        .flag("isOwn", "True for the release of the page", \.isOwn),
        .text("sessions", "Its sessions up to that age, such as `310,204`", \.sessions),
        .text(
            "crashFree", "Its crash-free sessions up to that age, such as `99.41% (99.36–99.46)`",
            \.crashFree),
        .text(
            "atSessions",
            "Its crash-free sessions up to that number of sessions, such as `99.40% (99.35–99.45)`",
            \.atSessions),
    ]
}
