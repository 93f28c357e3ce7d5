import Diagnostics
import Markup
import Publishing
import Settings

extension AttachDescriptor {
    /// A channel of Mattermost.
    package static let mattermost = AttachDescriptor(
        BlockSchema(
            "mattermost", title: "Mattermost",
            summary: "A message in a channel of Mattermost, by an incoming webhook",
            keys: chatKeys + [
                .optional(
                    "limit", .number(500...16_383), else: "16383",
                    "characters of a message; servers before version 5 take 4000")
            ]),
        needs: "An incoming webhook of the channel"
    ) { setup throws(Diagnostic) in
        try ChatTarget(MattermostChat(limit: setup.number("limit", else: 16_383)), setup)
    }
}

/// Mattermost: Markdown with tables.
struct MattermostChat: ChatDialect {
    let name = "Mattermost"
    let limit: Int

    private struct Message: Encodable { let text: String }

    func body(_ summary: AttachedSummary) -> [UInt8] {
        let text = fittingText(
            summary.message, limit: limit,
            because: "\(limit) characters is the most that a message holds", unfolds: true
        ) { documentText(unfolded($0), in: .github) }
        return jsonBody(Message(text: text.text))
    }
}
