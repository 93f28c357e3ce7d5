import Markup
import Pages
import Settings

/// Lets the links of Markdown versions lead to the HTML of pages that have no Markdown version.
struct MarkdownLinks: Sendable {
    private let outputs: Outputs
    /// Where on its host the site lies: the page of addresses that do not exist links from there.
    private let root: String

    init(_ outputs: Outputs, root: String) { (self.outputs, self.root) = (outputs, root) }

    /// The Markdown of a page with links that lead somewhere.
    func led(_ markdown: [UInt8], on path: SitePath) -> [UInt8] {
        if outputs.haveMarkdown { return markdown }
        var result: [UInt8] = []
        result.reserveCapacity(markdown.count)
        var rest = markdown[...]
        while let bracket = rest.firstIndex(of: UInt8(ascii: "]")) {
            let (start, length) = destination(after: bracket, in: rest)
            result += rest[..<start]
            let address = rest[start..<start + length]
            if length == 0 { result += address } else { result += led(address, on: path) }
            rest = rest[(start + length)...]
        }
        return result + rest
    }

    /// Where the destination begins that follows a closing bracket, and how long it is: 0 where none does.
    private func destination(after bracket: Int, in text: ArraySlice<UInt8>) -> (start: Int, length: Int) {
        let rest = text[(bracket + 1)...]
        guard let opening = Self.openings.first(where: { rest.starts(with: $0) }) else {
            return (bracket + 1, 0)
        }
        let start = bracket + 1 + opening.count
        let address = text[start...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ")") }
        return (start, address.count)
    }

    /// What is between the closing bracket and the destination of a link, and of the definition of one.
    private static let openings = [Array("(".utf8), Array(": ".utf8)]

    private func led(_ address: ArraySlice<UInt8>, on path: SitePath) -> [UInt8] {
        let whole = String(decoding: address, as: UTF8.self)
        let end = whole.firstIndex(of: "#") ?? whole.endIndex
        guard !isOutward(whole), whole[..<end].hasSuffix(Self.page),
            let target = addressFromTop(String(whole[..<end]), on: path, root: root),
            !outputs[SitePath.kind(ofStem: target.dropLast(3))].contains(.markdown)
        else { return Array(address) }
        return Array((whole[..<end].dropLast(3) + ".html" + whole[end...]).utf8)
    }

    /// What the Markdown version of a page is called.
    private static let page = "index.md"
}
