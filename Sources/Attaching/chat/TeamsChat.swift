import Diagnostics
import Markup
import Settings

extension AttachDescriptor {
    /// A channel of Microsoft Teams.
    package static let teams = AttachDescriptor(
        BlockSchema(
            "teams", title: "Microsoft Teams",
            summary: "A card in a channel of Teams, by a webhook of Workflows",
            keys: chatKeys),
        needs: "A workflow of the kind 'Post to a channel when a webhook request is received'"
    ) { setup throws(Diagnostic) in try ChatTarget(TeamsChat(), setup) }
}

/// Teams: an adaptive card, of which Workflows take so many bytes.
struct TeamsChat: ChatDialect {
    let name = "Teams"
    /// 28 KB are documented; the service counts what it wraps around, too.
    static let mostBytes = 21_000

    private struct Message: Encodable {
        let type = "message"
        let attachments: [Attachment]
    }

    private struct Attachment: Encodable {
        let contentType = "application/vnd.microsoft.card.adaptive"
        let content: Card
    }

    private struct Card: Encodable {
        let schema = "http://adaptivecards.io/schemas/adaptive-card.json"
        let type = "AdaptiveCard"
        let version = "1.4"
        let body: [TextBlock]
        let actions: [Action]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case type, version, body, actions
        }
    }

    private struct TextBlock: Encodable {
        let type = "TextBlock"
        let text: String
        let wrap = true
        var size: String?
        var weight: String?
    }

    private struct Action: Encodable {
        let type = "Action.OpenUrl"
        let title = "Open the report"
        let url: String
    }

    func body(_ summary: AttachedSummary) -> [UInt8] {
        let rest = Array(summary.message.dropFirst())
        let reason = "21,000 bytes is what a card can hold"
        var limit = Self.mostBytes
        while true {
            let text = fittingText(rest, limit: limit, because: reason, listsTables: true, unfolds: true) {
                documentText($0, in: .commonmark)
            }
            let bytes = jsonBody(card(summary, text.text))
            if bytes.count <= Self.mostBytes || limit < 500 { return bytes }
            limit = limit * 3 / 4
        }
    }

    private func card(_ summary: AttachedSummary, _ text: String) -> Message {
        let head = TextBlock(
            text: cut(documentText([.lines([[.text(summary.headline)]])], in: .commonmark), to: 400)
                .trimmingEnd(), size: "Large", weight: "Bolder")
        let parts = text.split(separator: "\n\n").map { TextBlock(text: String($0).trimmingEnd()) }
        return Message(
            attachments: [
                Attachment(
                    content: Card(body: [head] + parts, actions: summary.page.map { [Action(url: $0)] } ?? [])
                )
            ])
    }
}
