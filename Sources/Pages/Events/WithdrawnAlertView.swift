package import Templates

/// An alert that was withdrawn.
package struct WithdrawnAlertView: TemplateModel {
    package static let modelName = "withdrawn-alert"
    /// `Withdrawn: the figures were revised. First told: …`.
    package var sentence: String
    /// When it was raised, such as `Thu, Nov 19, 2026, 06:00 UTC`.
    package var raised: String
    /// The address of the day's page without ending.
    package var dayStem: String?

    package static let fields: [Field<WithdrawnAlertView>] = [
        .text("sentence", "`Withdrawn: the figures were revised. First told: …`", \.sentence),
        .text("raised", "When it was raised, such as `Thu, Nov 19, 2026, 06:00 UTC`", \.raised),
        .optionalUrl("dayStem", "The address of the day's page without ending", \.dayStem),
    ]
}
