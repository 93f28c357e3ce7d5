/// `events/`, one element, without the event itself.
struct BugsinkEventEntry: Decodable, Sendable {
    var id: WireName
}

/// `events/{id}/`: the event as the app's SDK sent it, so that any part may be missing or odd.
struct BugsinkEvent: Decodable, Sendable {
    var data: Lenient<Payload>?

    /// The event.
    struct Payload: Decodable, Sendable {
        var level: Lenient<WireName>?
        var exception: Lenient<Exceptions>?
    }

    /// The exceptions from cause to effect: a list, or an object that holds it.
    struct Exceptions: Decodable, Sendable {
        var values: [Exception]

        init(from decoder: any Decoder) throws {
            if let list = try? LossyArray<Exception>(from: decoder) {
                values = list.values
            } else {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                values = try container.decode(LossyArray<Exception>.self, forKey: .values).values
            }
        }

        private enum CodingKeys: String, CodingKey {
            case values
        }
    }

    /// One exception.
    struct Exception: Decodable, Sendable {
        var type: Lenient<WireLine>?
        var mechanism: Lenient<Mechanism>?
        var stacktrace: Lenient<Stack>?
    }

    /// How the SDK came to know of it.
    struct Mechanism: Decodable, Sendable {
        var type: Lenient<WireName>?
        var handled: Lenient<Bool>?
    }

    /// The calls, outermost first.
    struct Stack: Decodable, Sendable {
        var frames: LossyArray<Frame>?
    }

    /// One call.
    struct Frame: Decodable, Sendable {
        var filename: Lenient<WireLine>?
        var line: Lenient<Count>?
        var isInApp: Lenient<Bool>?

        private enum CodingKeys: String, CodingKey {
            case filename
            case line = "lineno"
            case isInApp = "in_app"
        }
    }
}
