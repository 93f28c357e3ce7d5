import Diagnostics

/// The blocks of a layout, and what is put into them.
extension Resolver {
    /// Reports content for a block that the layout does not have, where one of its blocks that gets none is spelled nearly
    /// the same: what was written would be nowhere on the page. A layout may do without a block.
    mutating func reportMisspelled(_ blocks: [String: Block], of layout: ParsedTemplate, in text: SourceText)
    {
        guard !blocks.isEmpty else { return }
        let known = blockNames(in: layout.nodes)
        let open = known.subtracting(blocks.keys).sorted()
        for block in blocks.values.sorted(by: { $0.id.offset < $1.id.offset })
        where !known.contains(block.name) {
            guard let nearest = nearestName(to: block.name, among: open) else { continue }
            report(text.error(.unknownBlock(block.name, nearest: nearest), at: block.id.offset))
        }
    }

    /// The names of the blocks that a caller may fill, also those of the layouts that a layout is made from.
    private mutating func blockNames(in nodes: [Node]) -> Set<String> {
        var (names, layouts): (Set<String>, Set<String>) = ([], [])
        // Not one in the other: layouts may be made from each other many times over.
        var waiting = [nodes]
        while let nodes = waiting.popLast() {
            count(1 + nodes.count / 100)
            for node in nodes {
                switch node {
                case .block(let block):
                    names.insert(block.name)
                    waiting.append(block.nodes)
                case .section(_, _, let inner): waiting.append(inner)
                case .parent(let name, _, let blocks):
                    names.formUnion(blocks.keys)
                    waiting += blocks.values.map(\.nodes)
                    guard layouts.insert(name.text).inserted,
                        case .found(let template) = library.find(.partial, name.text, language)
                    else { continue }
                    waiting.append(template.nodes)
                case .text, .lineStart, .variable, .partial, .dynamicPartial: continue
                }
            }
        }
        return names
    }
}
