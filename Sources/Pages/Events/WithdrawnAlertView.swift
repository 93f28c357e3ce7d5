package import Templates

/// An alert that was withdrawn.
package struct WithdrawnAlertView: TemplateModel {
    package static let modelName = "withdrawn-alert"
    package var sentence: String
    package var raised: String
    package var dayStem: String?

    package static let fields: [Field<WithdrawnAlertView>] = [
        .text("sentence", "`Withdrawn: the figures were revised. First told: …`", \.sentence),
        .text("raised", "When it was raised, such as `Thu, Nov 19, 2026, 06:00 UTC`", \.raised),
        .optionalUrl("dayStem", "The address of the day's page without ending", \.dayStem),
    ]
}
