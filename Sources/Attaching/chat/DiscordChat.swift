import Diagnostics
import Markup
import Settings
import Transport

extension AttachDescriptor {
    /// A channel of Discord.
    package static let discord = AttachDescriptor(
        BlockSchema(
            "discord", title: "Discord",
            summary: "A message in a channel of Discord, by a webhook; it is edited when the data is revised",
            keys: chatKeys),
        needs: "A webhook of the channel"
    ) { setup throws(Diagnostic) in try ChatTarget(DiscordChat(), setup) }
}

/// Discord: Markdown without tables; no one is called by it.
struct DiscordChat: ChatDialect {
    let name = "Discord"
    static let limit = 2000

    private struct Message: Encodable {
        struct Mentions: Encodable { let parse: [String] = [] }
        let content: String
        let allowed_mentions = Mentions()
    }

    func body(_ summary: AttachedSummary) -> [UInt8] {
        let text = fittingText(
            summary.message, limit: Self.limit,
            because: "2,000 characters is the most that a message holds", listsTables: true,
            unfolds: true
        ) { withoutEntities(documentText($0, in: .commonmark)) }
        return jsonBody(
            Message(content: text.text.utf16.count <= Self.limit ? text.text : cut(text.text, to: Self.limit))
        )
    }

    /// With it the response names the message.
    var parameters: [(String, String)] { [("wait", "true")] }

    func message(in response: Response) -> String? {
        struct Made: Decodable { let id: String }
        // Whatever it says, it has the message.
        return try? decoded(Made.self, from: response, of: name).id
    }

    func editing(_ message: String) -> [String]? { ["messages", message] }

    /// It is the same for a message that was removed, and for one of another webhook or thread. An unknown webhook is
    /// another error.
    func isGone(_ response: Response) -> Bool {
        struct Fault: Decodable { let code: Int }
        let unknownMessage = 10008
        return response.status == 404
            && (try? decoded(Fault.self, from: response, of: name).code) == unknownMessage
    }
}

/// Markdown for a reader that knows no entities: a backslash is before what would begin a mention or a quote.
private func withoutEntities(_ text: String) -> String {
    text.replacing("&lt;", with: "\\<").replacing("&gt;", with: "\\>").replacing("&amp;", with: "&")
}
