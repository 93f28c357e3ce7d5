package import Templates

/// The top issues of an app within a content page.
package struct TopIssuesBlock: TemplateModel {
    package static let modelName = "top-issues-block"
    package var title: String
    package var stem: String?
    package var issues: [IssueRow]

    package static let fields: [Field<TopIssuesBlock>] = [
        .text("title", "The app and what the issues and their users are counted over", \.title),
        .optionalUrl("stem", "The address of the page of all issues without ending", \.stem),
        .list("issues", "The issues", \.issues),
    ]
}

/// The newest releases of an app within a content page.
package struct ReleasesBlock: TemplateModel {
    package static let modelName = "releases-block"
    package var title: String
    package var stem: String?
    package var releases: [ReleaseRow]

    package static let fields: [Field<ReleasesBlock>] = [
        .text("title", "The app and what is shown of it", \.title),
        .optionalUrl("stem", "The address of the page of all releases without ending", \.stem),
        .list("releases", "The releases, newest first", \.releases),
        .text("releasesRate", "What `releases` say the rate of, such as `Crash-free sessions`") {
            $0.releases.rateHeading
        },
        .text("releasesCount", "What `releases` count, such as `Sessions`") { $0.releases.countHeading },
    ]
}

/// The newest events of an app within a content page.
package struct ActivityBlock: TemplateModel {
    package static let modelName = "activity-block"
    package var title: String
    package var stem: String?
    package var events: [EventEntry]

    package static let fields: [Field<ActivityBlock>] = [
        .text("title", "The app and what is shown of it", \.title),
        .optionalUrl("stem", "The address of the page of all events without ending", \.stem),
        .list("events", "The events, newest first, without daily summaries", \.events),
    ]
}

/// The newest notes on an app within a content page.
package struct NotesBlock: TemplateModel {
    package static let modelName = "notes-block"
    package var title: String
    package var stem: String?
    package var notes: [NoteView]

    package static let fields: [Field<NotesBlock>] = [
        .text("title", "The app and what is shown of it", \.title),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .list("notes", "The notes, newest first", \.notes),
    ]
}
