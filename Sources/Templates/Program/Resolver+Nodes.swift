/// Text, variables and sections.
extension Resolver {
    mutating func resolve(_ nodes: [Node], in place: Surroundings, into body: inout RoutineCode) {
        goDeeper { resolver in
            for node in nodes where resolver.admits(node, in: place) {
                resolver.resolve(node, in: place, into: &body)
            }
        }
    }

    private mutating func resolve(_ node: Node, in place: Surroundings, into body: inout RoutineCode) {
        switch node {
        case .text(let text): body.append(literal: text, to: &code.literals)
        case .lineStart(let indent): startLine(indent, in: place, into: &body)
        case .variable(let name, let isRaw): resolveVariable(name, isRaw: isRaw, in: place, into: &body)
        case .section(let name, false, let nodes): resolveSection(name, nodes, in: place, into: &body)
        case .section(let name, true, let nodes): resolveInverted(name, nodes, in: place, into: &body)
        case .partial(let name, let indent): resolvePartial(name, indent, in: place, into: &body)
        case .dynamicPartial(let name, let indent): resolveDynamic(name, indent, in: place, into: &body)
        case .parent(let name, let indent, let blocks):
            resolveParent(name, indent, blocks, in: place, into: &body)
        case .block(let block): resolveBlock(block, in: place, into: &body)
        }
    }

    mutating func startLine(_ indent: String, in place: Surroundings, into body: inout RoutineCode) {
        if place.isIndented { body.append(Instruction(code: .indentation)) }
        body.append(literal: place.reindentation(indent), to: &code.literals)
    }

    private mutating func resolveVariable(
        _ name: Name, isRaw: Bool, in place: Surroundings, into body: inout RoutineCode
    ) {
        if resolveAsset(name, isRaw: isRaw, in: place, into: &body) { return }
        guard let found = resolution(of: name, in: place) else { return }
        let kind = found.field.kind
        guard kind.isPrintable, let writer = unsafe found.field.access.write else {
            let problem = TemplateProblem.wrongKind(
                name.text, kind: kind.words, need: "text", hint: kind.usage(name.text))
            return report(problem, at: name, in: place)
        }
        if kind.isMarkup, !isRaw { return report(.markupEscaped(name.text), at: name, in: place) }
        if !kind.isMarkup, kind != .number, isRaw { return report(.rawText(name.text), at: name, in: place) }
        let index = unsafe code.add(writer)
        follow(found, at: place.spot(name), in: place.context, into: &body) { resolver, slot, _, body in
            body.append(Instruction(code: .write, slot: Int32(clamping: slot), index: index))
        }
    }

    private mutating func resolveSection(
        _ name: Name, _ nodes: [Node], in place: Surroundings, into body: inout RoutineCode
    ) {
        guard let found = sectionField(name, in: place) else { return }
        follow(found, at: place.spot(name), in: place.context, into: &body) { resolver, slot, context, body in
            var inside = place
            guard let child = found.field.child?(), let visitor = unsafe found.field.access.visit else {
                inside.context = place.context.keeping(depth: context.depth)
                let test = unsafe resolver.code.add(found.field.access.test)
                let head = Instruction(code: .test, slot: Int32(clamping: slot), index: test)
                return body.append(head) { resolver.resolve(nodes, in: inside, into: &$0) }
            }
            let target = context.depth
            body.use(slot: target)
            inside.context = place.context.entering(child, slot: target)
            let head = unsafe Instruction(
                code: .visit, slot: Int32(clamping: slot), target: Int32(clamping: target),
                index: resolver.code.add(visitor, at: place.spot(name)))
            body.append(head) { resolver.resolve(nodes, in: inside, into: &$0) }
        }
    }

    private mutating func resolveInverted(
        _ name: Name, _ nodes: [Node], in place: Surroundings, into body: inout RoutineCode
    ) {
        guard let found = sectionField(name, in: place) else { return }
        let test = unsafe found.steps.reversed().reduce(found.field.access.test) { inner, step in
            guard let visit = unsafe step.access.visit else { return unsafe inner }
            return { pointer, language in
                var result = false
                unsafe visit(pointer, language) { result = unsafe inner($0, language) }
                return result
            }
        }
        let head = unsafe Instruction(code: .unless, slot: Int32(clamping: found.slot), index: code.add(test))
        body.append(head) { resolve(nodes, in: place, into: &$0) }
    }

    private mutating func sectionField(_ name: Name, in place: Surroundings) -> Resolution? {
        guard let found = resolution(of: name, in: place) else { return nil }
        if found.field.kind.isSection { return found }
        let kind = found.field.kind
        let problem = TemplateProblem.wrongKind(
            name.text, kind: kind.words, need: "a section", hint: kind.usage(name.text))
        report(problem, at: name, in: place)
        return nil
    }

    mutating func resolution(of name: Name, in place: Surroundings) -> Resolution? {
        do {
            return try place.context.resolve(name.parts, as: name.text)
        } catch {
            report(error, at: name, in: place)
            return nil
        }
    }

    /// Enters the models on the way, then adds what the closure adds with the slot of the last one.
    mutating func follow(
        _ found: Resolution, at spot: Spot, in context: Context, into body: inout RoutineCode,
        _ add: (inout Resolver, _ slot: Int, Context, inout RoutineCode) -> Void
    ) {
        follow(found.steps[...], from: found.slot, at: spot, in: context, into: &body, add)
    }

    private mutating func follow(
        _ steps: ArraySlice<FieldSchema>, from slot: Int, at spot: Spot, in context: Context,
        into body: inout RoutineCode,
        _ add: (inout Resolver, _ slot: Int, Context, inout RoutineCode) -> Void
    ) {
        guard let step = steps.first, let visitor = unsafe step.access.visit else {
            return add(&self, slot, context, &body)
        }
        let target = context.depth
        body.use(slot: target)
        let head = unsafe Instruction(
            code: .visit, slot: Int32(clamping: slot), target: Int32(clamping: target),
            index: code.add(visitor, at: spot))
        body.append(head) { body in
            goDeeper { resolver in
                resolver.follow(
                    steps.dropFirst(), from: target, at: spot, in: context.reserving(slot: target),
                    into: &body, add)
            }
        }
    }
}
