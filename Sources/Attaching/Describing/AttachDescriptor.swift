package import Diagnostics
package import Publishing
package import Settings

/// What an attach target says of itself: everything that the configuration, its schema, `init` and the manual need to
/// know of it before one is made.
package struct AttachDescriptor: Sendable {
    /// Its name and its keys.
    package var schema: BlockSchema
    /// What it needs to be allowed, in words.
    package var needs: String
    private let make: @Sendable (TargetSetup) throws(Diagnostic) -> any AttachTarget

    /// Describes a target.
    package init(
        _ schema: BlockSchema, needs: String,
        make: @escaping @Sendable (TargetSetup) throws(Diagnostic) -> any AttachTarget
    ) {
        self.schema = schema
        self.needs = needs
        self.make = make
    }

    /// The target's name, as the configuration writes it.
    package var name: String { schema.name }

    /// Makes a target.
    package func target(_ setup: TargetSetup) throws(Diagnostic) -> any AttachTarget { try make(setup) }
}

/// The attach targets, in the order of the manual. A new one is a folder and a line here.
package let standardAttachTargets: [AttachDescriptor] = [
    .githubRelease, .gitlabRelease, .forgejoRelease, .githubComment, .gitlabComment, .forgejoComment,
    .stepSummary, .slack, .mattermost, .discord, .teams, .googleChat, .webhook, .mail,
]

/// The reference of every kind of attach target in Markdown: for each its keys with an example, and what it needs.
package func attachReference(_ targets: [AttachDescriptor] = standardAttachTargets) -> String {
    targets.map { target in
        "## Attach to: \(target.schema.title)\n\n\(target.schema.summary).\n\n"
            + keyReference(of: target.schema, needs: target.needs)
    }.joined(separator: "\n")
}
