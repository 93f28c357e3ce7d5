import Diagnostics
import Markup
import Settings

extension AttachDescriptor {
    /// A channel of Slack.
    package static let slack = AttachDescriptor(
        BlockSchema(
            "slack", title: "Slack", summary: "A message in a channel of Slack, by an incoming webhook",
            keys: chatKeys),
        needs: "An incoming webhook of the channel"
    ) { setup throws(Diagnostic) in try ChatTarget(SlackChat(), setup) }
}

/// Slack: the text is what a notification shows, sections of mrkdwn are the message.
struct SlackChat: ChatDialect {
    let name = "Slack"

    /// What Slack takes: blocks of a message, characters of a section, characters of a header.
    static let mostBlocks = 50, mostOfSection = 3000, mostOfHeader = 150

    private struct Message: Encodable {
        let text: String
        let blocks: [Part]
        let unfurl_links = false
        let unfurl_media = false
    }

    private struct Part: Encodable {
        struct Text: Encodable {
            let type, text: String
            /// Whether names of channels and addresses in the text stay as they are; links that are written as such are
            /// links.
            var verbatim: Bool?
        }
        let type: String
        let text: Text
    }

    func body(_ summary: AttachedSummary) -> [UInt8] {
        let rest = Array(summary.message.dropFirst())
        // One block is the header; a section may stay as empty as a line is long.
        let limit = (Self.mostBlocks - 1) * Self.mostOfSection / 2
        let text = fittingText(
            rest, limit: limit, because: "\(Self.mostBlocks) sections is the most that a message holds",
            unfolds: true
        ) { documentText($0, in: .slack) }.text
        let header = cut(summary.headline, to: Self.mostOfHeader)
        let sections = Self.sections(of: text).prefix(Self.mostBlocks - 1).map {
            Part(type: "section", text: .init(type: "mrkdwn", text: $0, verbatim: true))
        }
        return jsonBody(
            Message(
                text: documentText([.lines([[.text(summary.headline)]])], in: .slack)
                    .trimmingEnd(),
                blocks: [Part(type: "header", text: .init(type: "plain_text", text: header))] + sections))
    }

    /// The lines of a text in as few pieces as their limit allows; one that is longer goes on in the next.
    static func sections(of text: String) -> [String] {
        var sections: [String] = []
        var current = ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.flatMap({ slackPieces(of: String($0), most: mostOfSection - 1) }) {
            if current.utf16.count + line.utf16.count + 1 > mostOfSection {
                sections.append(current.trimmingEnd())
                current = ""
            }
            current += line + "\n"
        }
        sections.append(current.trimmingEnd())
        return sections.filter { !$0.isEmpty }
    }
}
