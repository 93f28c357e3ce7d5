package import Publishing
package import Settings

/// What a kind of attach target says of itself.
package struct AttachDescriptor: PlaceDescriptor {
    /// Its name and its keys.
    package var schema: BlockSchema
    /// What it needs to be allowed, in words.
    package var needs: String
    /// Makes a target.
    package var make: PlaceMaker<any AttachTarget>

    /// Describes a target.
    package init(
        _ schema: BlockSchema, needs: String,
        make: @escaping PlaceMaker<any AttachTarget>
    ) {
        self.schema = schema
        self.needs = needs
        self.make = make
    }
}

/// The attach targets, in the order of the manual. A new one is a folder and a line here.
package let standardAttachTargets: [AttachDescriptor] = [
    .githubRelease, .gitlabRelease, .forgejoRelease, .githubComment, .gitlabComment, .forgejoComment,
    .stepSummary, .slack, .mattermost, .discord, .teams, .googleChat, .webhook, .mail,
]
