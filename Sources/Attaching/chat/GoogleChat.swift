import Diagnostics
import Markup
import Settings

extension AttachDescriptor {
    /// A space of Google Chat.
    package static let googleChat = AttachDescriptor(
        BlockSchema(
            "google-chat", title: "Google Chat",
            summary: "A message in a space of Google Chat, by a webhook; one thread for each app",
            keys: chatKeys),
        needs: "A webhook of the space"
    ) { setup throws(Diagnostic) in try ChatTarget(GoogleChat(), setup) }
}

/// Google Chat: `*bold*` and `<address|text>`, without entities; the messages of an app are one thread.
struct GoogleChat: ChatDialect {
    let name = "Google Chat"
    static let limit = 4096

    private struct Message: Encodable {
        struct Thread: Encodable { let threadKey: String }
        let text: String
        let thread: Thread
    }

    var parameters: [(String, String)] {
        [("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD")]
    }

    func body(_ summary: AttachedSummary) -> [UInt8] {
        let text = fittingText(
            summary.message, limit: Self.limit, because: "4,096 characters is the most that a message holds",
            unfolds: true
        ) { blocks in
            // What would be an entity elsewhere is a character here, and none that could begin a mention.
            documentText(blocks, in: .slack).replacing("&lt;", with: "‹").replacing("&gt;", with: "›")
                .replacing("&amp;", with: "&")
        }
        let thread = "plimsoll-\(summary.app.isEmpty ? "all" : summary.app)"
        return jsonBody(Message(text: text.text, thread: .init(threadKey: thread)))
    }
}
