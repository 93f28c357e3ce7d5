/// What a style sheet has before its rules: the sheets that it imports, and the order of its layers.
struct StyleStart {
    enum Part {
        /// `@layer base, brand;`, as it is written.
        case layers(String)
        case sheet(ImportRule)
    }

    private(set) var parts: [Part] = []
    /// Where its rules begin.
    private(set) var end = 0

    /// - Returns: nil when an import cannot be read.
    init?(_ sheet: StyleText) {
        while true {
            let start = sheet.afterSpace(end)
            let last = sheet.endOfStatement(start)
            let isBlock = last < sheet.bytes.count && sheet.bytes[last] == UInt8(ascii: "{")
            if sheet.has("@import", at: start) {
                guard !isBlock, let rule = ImportRule(sheet, start..<last) else { return nil }
                parts.append(.sheet(rule))
            } else if sheet.has("@layer", at: start), !isBlock {
                parts.append(.layers(sheet.text(start..<last) + ";"))
            } else if !sheet.has("@charset", at: start) || isBlock {
                end = start
                return
            }
            end = min(last + 1, sheet.bytes.count)
        }
    }
}

/// `@import` with what it is for: CSS Cascading and Inheritance Level 5, §2.
struct ImportRule {
    let address: String
    /// The name of the layer of its rules, empty for one without a name; nil when they are in none of their own.
    private let layer: String?
    /// What a browser must support.
    private let support: String?
    private let media: String

    /// - Returns: nil when it is not written as browsers expect it.
    init?(_ sheet: StyleText, _ range: Range<Int>) {
        guard
            let address = sheet.tokens.first(where: {
                $0.kind == .address && $0.range.lowerBound > range.lowerBound
                    && $0.range.upperBound <= range.upperBound
            })?.range
        else { return nil }
        self.address = sheet.text(address)
        let start = sheet.afterSpace(range.lowerBound + "@import".utf8.count)
        var place: Int
        if start == address.lowerBound - 1 {
            // Behind the quote.
            place = address.upperBound + 1
        } else {
            guard sheet.has("url", at: start), let end = sheet.endOfParenthesis(start) else { return nil }
            place = end
        }
        guard place <= range.upperBound else { return nil }
        place = sheet.afterSpace(place)
        (layer, place) = Self.layer(sheet, place)
        (support, place) = Self.argument(of: "supports", sheet, place)
        place = min(place, range.upperBound)
        media = sheet.text(place..<range.upperBound)
        // What comes next in a newer level, such as `scope()`, is no medium.
        guard media.prefixMatch(of: /[A-Za-z-]+\(/) == nil, !media.contains(/[{};]/) else { return nil }
    }

    private static func layer(_ sheet: StyleText, _ place: Int) -> (String?, Int) {
        let (name, end) = argument(of: "layer", sheet, place)
        if let name {
            return name.wholeMatch(of: /[\w.\-\s]*\w[\w.\-\s]*/) == nil ? (nil, place) : (name, end)
        }
        guard sheet.has("layer", at: place) else { return (nil, place) }
        return ("", sheet.afterSpace(place + "layer".utf8.count))
    }

    /// What is between the parentheses of a function at a place, and the place behind it.
    private static func argument(of function: String, _ sheet: StyleText, _ place: Int) -> (String?, Int) {
        let open = place + function.utf8.count
        guard sheet.has(function, at: place), open < sheet.bytes.count,
            sheet.bytes[open] == UInt8(ascii: "("), let end = sheet.endOfParenthesis(open)
        else { return (nil, place) }
        return (sheet.text(open + 1..<end - 1), sheet.afterSpace(end))
    }

    /// The rules of the sheet that it imports, as they are in its place.
    func around(_ rules: [UInt8]) -> [UInt8] {
        var heads: [String] = []
        if !media.allSatisfy(\.isWhitespace) { heads.append("@media \(media){") }
        if let support { heads.append("@supports (\(support)){") }
        if let layer { heads.append(layer.isEmpty ? "@layer{" : "@layer \(layer){") }
        return Array(heads.joined().utf8) + rules + Array(repeating: UInt8(ascii: "}"), count: heads.count)
    }
}
