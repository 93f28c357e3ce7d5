/// Partials, layouts and blocks.
extension Resolver {
    mutating func resolvePartial(
        _ name: Name, _ indent: String?, in place: Surroundings, into body: inout RoutineCode
    ) {
        guard let template = partial(name.text, at: name, in: place) else { return }
        guard let call = call(template, at: name, indent, place.context, fillings: [:], in: place) else {
            return
        }
        body.append(Instruction(code: .call, index: code.add(call)))
    }

    mutating func resolveParent(
        _ name: Name, _ indent: String?, _ blocks: [String: Block], in place: Surroundings,
        into body: inout RoutineCode
    ) {
        guard let template = partial(name.text, at: name, in: place) else { return }
        reportMisspelled(blocks, of: template, in: place.text)
        let own = blocks.mapValues { Filling(block: $0, text: place.text) }
        let fillings = own.merging(place.fillings) { _, outer in outer }
        guard let call = call(template, at: name, indent, place.context, fillings: fillings, in: place) else {
            return
        }
        body.append(Instruction(code: .call, index: code.add(call)))
    }

    /// `{{>*name}}`: the partial with the name of the model, or its variant when the last part is no field.
    mutating func resolveDynamic(
        _ name: Name, _ indent: String?, in place: Surroundings, into body: inout RoutineCode
    ) {
        if let variant = name.variantOfCurrent {
            return resolveCurrent(name, variant.value, indent, in: place, into: &body)
        }
        guard let (found, variant) = shown(name, in: place) else { return }
        guard let shower = unsafe found.field.access.show else { return }
        follow(found, at: place.spot(name), in: place.context, into: &body) { resolver, slot, context, body in
            let calls = found.field.shown().map { schema in
                let file = variant.map { "\(schema.name).\($0)" } ?? schema.name
                let inside = place.context.entering(schema, slot: -1)
                return resolver.partial(file, at: name, in: place).flatMap {
                    resolver.call($0, at: name, indent, inside, fillings: [:], in: place)
                }
            }
            guard calls.allSatisfy({ $0 != nil }) else { return }
            let show = unsafe resolver.code.add(Show(shower: shower, calls: calls.compactMap(\.self)))
            body.append(Instruction(code: .show, slot: Int32(clamping: slot), index: show))
        }
    }

    /// `{{>*.}}`: the partial of the innermost model.
    private mutating func resolveCurrent(
        _ name: Name, _ variant: String?, _ indent: String?, in place: Surroundings,
        into body: inout RoutineCode
    ) {
        guard let schema = place.context.top?.schema, schema.dot == nil else {
            let problem = TemplateProblem.wrongKind(
                ".", kind: "no model", need: "a view", hint: "write {{.}}")
            return report(problem, at: name, in: place)
        }
        let file = variant.map { "\(schema.name).\($0)" } ?? schema.name
        guard let template = partial(file, at: name, in: place),
            let call = call(template, at: name, indent, place.context, fillings: [:], in: place)
        else { return }
        body.append(Instruction(code: .call, index: code.add(call)))
    }

    /// The field that a dynamic name means, and the variant.
    private mutating func shown(_ name: Name, in place: Surroundings) -> (Resolution, String?)? {
        do {
            let found = try place.context.resolve(name.parts, as: name.text)
            if found.field.kind.isShowable { return (found, nil) }
            let problem = TemplateProblem.wrongKind(
                name.text, kind: found.field.kind.words, need: "a view",
                hint: found.field.kind.usage(name.text))
            report(problem, at: name, in: place)
        } catch {
            let parts = name.parts.dropLast()
            if let variant = name.parts.last, !parts.isEmpty,
                let found = try? place.context.resolve(Array(parts), as: name.text),
                found.field.kind.isShowable
            {
                return (found, variant)
            }
            report(error, at: name, in: place)
        }
        return nil
    }

    private mutating func partial(_ file: String, at name: Name, in place: Surroundings) -> ParsedTemplate? {
        switch library.find(.partial, file, language) {
        case .found(let template): return template
        case .missing(let places):
            report(.missingTemplate(file, role: .partial, lookedIn: places), at: name, in: place)
            return nil
        case .unreadable(let path, let why):
            report(TemplateError(problem: .unreadable(why), path: path, line: nil, column: nil))
            return nil
        }
    }

    /// The call of a template in a context; the frame of a shown model has slot -1.
    private mutating func call(
        _ template: ParsedTemplate, at name: Name, _ indent: String?, _ context: Context,
        fillings: [String: Filling], in place: Surroundings
    ) -> Call? {
        let indentation = indent.map { place.reindentation($0) } ?? ""
        let keeps = indent != nil
        let isIndented = keeps && (place.isIndented || !indentation.isEmpty)
        let schemas = context.frames.map(\.schema)
        count(fillings.count)
        let routine = routine(
            template, schemas, fillings: fillings, isIndented: isIndented, from: place.spot(name))
        guard let routine else { return nil }
        let shows = context.frames.contains { $0.slot < 0 }
        note(callOf: routine, at: name, in: place, entersModel: shows)
        return Call(
            routine: routine, frames: context.frames.map { Int32(clamping: $0.slot) },
            keepsIndentation: keeps, indentation: Array(indentation.utf8))
    }
}

extension Resolver {
    mutating func resolveBlock(_ block: Block, in place: Surroundings, into body: inout RoutineCode) {
        if let filling = place.fillings[block.name], !place.filling.contains(filling.block.id) {
            fill(block, with: filling, in: place, into: &body)
        } else if let newline = block.newline {
            guard !block.nodes.isEmpty else { return }
            startLine(block.indent, in: place, into: &body)
            resolve(block.nodes, in: place, into: &body)
            body.append(literal: newline, to: &code.literals)
        } else {
            resolve(block.nodes, in: place, into: &body)
        }
    }

    /// Puts content into a place of a layout, with the place's indentation instead of its own.
    private mutating func fill(
        _ block: Block, with filling: Filling, in place: Surroundings, into body: inout RoutineCode
    ) {
        let content = filling.block
        guard !content.nodes.isEmpty else { return }
        let startsLine = block.takesWholeLines || block.startsLine
        var inside = place
        inside.text = filling.text
        inside.filling.insert(content.id)
        inside.reindentation = Reindentation(
            removed: content.ownIndent, added: startsLine ? place.reindentation(block.indent) : "")
        count(indentation: inside.reindentation.added)
        var nodes = content.nodes[...]
        if startsLine, !content.startsLine { startLine(block.indent, in: place, into: &body) }
        if !startsLine, case .lineStart = nodes.first { nodes = nodes.dropFirst() }
        resolve(Array(nodes), in: inside, into: &body)
        if block.takesWholeLines, !endsLine(content.nodes) {
            body.append(literal: block.newline ?? "\n", to: &code.literals)
        }
    }
}

extension Name {
    /// The variant in `.` (none) and `.row`; nil for other names.
    fileprivate var variantOfCurrent: (value: String?, isCurrent: Bool)? {
        if parts.isEmpty { return (nil, true) }
        return parts.count == 2 && parts[0].isEmpty ? (parts[1], true) : nil
    }
}

/// Whether the nodes end with a line end, as far as can be known without running them.
private func endsLine(_ nodes: [Node]) -> Bool {
    switch nodes.last {
    case .text(let text): text.utf8.last == 0x0A
    case .section(_, _, let inside): endsLine(inside)
    case .partial(_, let indent), .dynamicPartial(_, let indent), .parent(_, let indent, _): indent != nil
    case .block(let block): block.takesWholeLines && block.newline != ""
    case .lineStart, .variable, nil: false
    }
}
