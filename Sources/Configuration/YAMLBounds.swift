import CYaml

/// What one YAML document may take, with every alias counted as what it repeats.
enum YAMLBounds {
    /// The most bytes.
    static let bytes = 8 << 20
    /// The most values: scalars, lists and mappings.
    static let values = 200_000
    /// The most values in each other.
    static let depth = 64
}

/// What a document has too much of, and where that is seen first.
struct YAMLExcess {
    let words: String
    /// Both counted from 1.
    let line: Int
    let column: Int
}

/// What a document has too much of; nil when it keeps to the bounds, or is no YAML.
///
/// Counts events of the parser before anything is made of them: ten lines of aliases that each repeat ten others
/// would be a document of ten thousand million values.
func excess(in text: String) -> YAMLExcess? {
    guard text.utf8.count <= YAMLBounds.bytes else {
        return YAMLExcess(words: "YAML document has more than \(YAMLBounds.bytes) bytes", line: 1, column: 1)
    }
    var counter = YAMLCounter()
    return firstFound(inEventsOf: text) { event in
        counter.count(event).map { words in
            let mark = event.start_mark
            return YAMLExcess(words: words, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
        }
    }
}

/// What a body finds first in the events of a text; nil when it finds nothing up to the end, or to where the text is no
/// YAML.
func firstFound<Found>(inEventsOf text: String, _ body: (yaml_event_t) -> Found?) -> Found? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { return nil }
        defer { yaml_parser_delete(&parser) }
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(&parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            if event.type == YAML_STREAM_END_EVENT { return nil }
            if let found = body(event) { return found }
        }
    }
}

/// How many values there are so far.
private struct YAMLCounter {
    /// The values of what has an anchor, by its name.
    private var sizes: [String: Int] = [:]
    /// The lists and mappings that are open, with their anchors and values.
    private var open: [(anchor: String?, size: Int)] = []

    /// Counts what an event brings; gives what is too much.
    mutating func count(_ event: yaml_event_t) -> String? {
        switch event.type {
        case YAML_SCALAR_EVENT: return add(1, anchor: name(event.data.scalar.anchor))
        case YAML_ALIAS_EVENT:
            return add(name(event.data.alias.anchor).flatMap { sizes[$0] } ?? 1, anchor: nil)
        case YAML_SEQUENCE_START_EVENT: return begin(name(event.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT: return begin(name(event.data.mapping_start.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            guard let ended = open.popLast() else { return nil }
            return add(ended.size, anchor: ended.anchor)
        default: return nil
        }
    }

    private mutating func begin(_ anchor: String?) -> String? {
        open.append((anchor, 1))
        return open.count > YAMLBounds.depth
            ? "YAML document nests lists and mappings more than \(YAMLBounds.depth) deep" : nil
    }

    private mutating func add(_ size: Int, anchor: String?) -> String? {
        if let anchor { sizes[anchor] = size }
        guard !open.isEmpty else { return nil }
        open[open.count - 1].size += size
        return open[open.count - 1].size > YAMLBounds.values
            ? "YAML document has more than \(YAMLBounds.values) values" : nil
    }

    private func name(_ anchor: UnsafeMutablePointer<UInt8>?) -> String? {
        anchor.map { String(cString: $0) }
    }
}
