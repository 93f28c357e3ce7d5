/// A count that is sent as a text: `"150"`; a number is taken too.
struct CountText: WireValue, Sampled, Sendable {
    static let expected = "a count as a text such as \"150\""

    static let sample = CountText(value: 0)

    var value: Int

    private init(value: Int) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        if let count = try? decoder.singleValueContainer().decode(Int.self) {
            value = count
        } else {
            let text = try decoder.single(String.self, expected: Self.expected)
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let count = Int(text)
            else { throw decoder.mismatch(Self.expected) }
            value = count
        }
        guard value >= 0 else { throw decoder.mismatch(Self.expected) }
    }
}

/// A point of an issue's time line: `[1795132800, 12]`, the first in seconds since 1970.
struct StatPoint: Decodable, Sendable {
    var seconds: Int
    /// Nil where the service sends null.
    var count: Count?

    init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        seconds = try pair.decode(Int.self)
        count = try pair.decodeIfPresent(Count.self)
    }
}

/// What an issue's headline was made of; which keys there are depends on the kind of event.
struct IssueMetadata: Decodable, Sendable {
    var type: Lenient<WireLine>?
    var filename: Lenient<WireLine>?
}

/// What a person wrote on an issue, in a list of comments or of all activity.
struct SentryAPINote: Decodable, Sendable {
    /// The kind of activity; a person's words have `note`, every other kind is not read further.
    var type: WireName
    var note: Written?

    /// The note itself.
    struct Written: Decodable, Sendable {
        var id: WireLabel
        var created: WireInstant
        var data: Words
        var user: Lenient<Author>?

        private enum CodingKeys: String, CodingKey {
            case id, data, user
            case created = "dateCreated"
        }
    }

    /// The words, which may link people by `@`.
    struct Words: Decodable, Sendable {
        var text: WireProse
    }

    /// Who wrote it.
    struct Author: Decodable, Sendable {
        var name: Lenient<WireName>?
        var username: Lenient<WireName>?
        var email: Lenient<WireName>?
    }

    init(from decoder: any Decoder) throws {
        type = try decoder.container(keyedBy: CodingKeys.self).decode(WireName.self, forKey: .type)
        note = type.text == "note" ? try Written(from: decoder) : nil
    }

    private enum CodingKeys: String, CodingKey { case type }
}

/// The part of an event that says where it happened.
struct SentryAPIEvent: Decodable, Sendable {
    var entries: LossyArray<Entry>

    /// One section of the event; only exceptions are read.
    struct Entry: Decodable, Sendable {
        var type: WireName
        var exceptions: Lenient<Exceptions>?

        private enum CodingKeys: String, CodingKey {
            case type
            case exceptions = "data"
        }
    }

    /// The causes first, what was thrown in the end last.
    struct Exceptions: Decodable, Sendable {
        var values: [Lenient<Exception>]
    }

    /// One exception.
    struct Exception: Decodable, Sendable {
        var stacktrace: Lenient<Stack>?
    }

    /// The frames of one stack, the one that crashed last.
    struct Stack: Decodable, Sendable {
        var frames: [Lenient<Frame>]
    }

    /// One frame.
    struct Frame: Decodable, Sendable {
        var filename: Lenient<WireLine>?
        var line: Lenient<Int>?
        var isInApp: Lenient<Bool>?

        private enum CodingKeys: String, CodingKey {
            case filename
            case line = "lineNo"
            case isInApp = "inApp"
        }
    }
}
