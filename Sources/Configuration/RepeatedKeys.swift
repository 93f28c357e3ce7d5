import CYaml

/// A key that its mapping has already.
struct RepeatedKey {
    let key: String
    /// Both counted from 1.
    let line: Int
    let column: Int
    /// The line of the first one.
    let firstLine: Int
}

/// The keys of a YAML text that their mappings have already, in the order of the text.
func repeatedKeys(in text: String) -> [RepeatedKey] {
    var finder = RepeatedKeyFinder()
    let _: Never? = firstFound(inEventsOf: text) { event in
        finder.take(event)
        return nil
    }
    return finder.found
}

/// Follows the events of the parser.
private struct RepeatedKeyFinder {
    private struct Level {
        /// The lines of the keys so far; nil for a list.
        var lines: [String: Int]?
        /// Whether what comes next is a key.
        var isKeyNext = true
    }

    private(set) var found: [RepeatedKey] = []
    /// The lists and mappings that are open.
    private var open: [Level] = []

    mutating func take(_ event: yaml_event_t) {
        switch event.type {
        case YAML_SCALAR_EVENT:
            if open.last?.isKeyNext == true { note(event) }
            pass()
        case YAML_ALIAS_EVENT: pass()
        case YAML_MAPPING_START_EVENT: open.append(Level(lines: [:]))
        case YAML_SEQUENCE_START_EVENT: open.append(Level())
        case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT:
            _ = open.popLast()
            pass()
        default: break
        }
    }

    /// Notes a text in the place of a key.
    private mutating func note(_ event: yaml_event_t) {
        guard let lines = open.last?.lines else { return }
        let scalar = event.data.scalar
        let key = String(
            decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        let (line, column) = (Int(event.start_mark.line) + 1, Int(event.start_mark.column) + 1)
        if let first = lines[key] {
            found.append(RepeatedKey(key: key, line: line, column: column, firstLine: first))
        } else {
            open[open.count - 1].lines?[key] = line
        }
    }

    /// Goes from a key to its value, and from a value to the next key.
    private mutating func pass() {
        if !open.isEmpty { open[open.count - 1].isKeyNext.toggle() }
    }
}
