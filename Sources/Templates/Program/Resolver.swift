import Diagnostics
import Markup

/// Content for a block of a layout, with the file it was written in.
struct Filling {
    let block: Block
    let text: SourceText
}

/// How the white space at the start of lines changes where a block is put.
struct Reindentation: Hashable {
    /// What the lines lose.
    var removed = ""
    /// What they get.
    var added = ""

    func callAsFunction(_ indent: String) -> String {
        guard !removed.isEmpty else { return added + indent }
        let common = zip(indent.unicodeScalars, removed.unicodeScalars).prefix { $0 == $1 }.count
        return added + String(indent.unicodeScalars.dropFirst(common))
    }
}

/// What a part of a template is resolved in.
struct Surroundings {
    /// The file of the part, for messages.
    var text: SourceText
    var context: Context
    /// What the callers put into blocks.
    var fillings: [String: Filling] = [:]
    var reindentation = Reindentation()
    /// Whether lines begin with an indentation that is known only when the program runs.
    var isIndented = false
    /// The blocks that are being filled, so that none fills itself.
    var filling: Set<Block.Identity> = []
    let routine: Int

    /// Where a name is.
    func spot(_ name: Name) -> Spot { Spot(text: text, offset: name.offset) }
}

/// Resolves the names of a template and everything it uses, and writes the program.
struct Resolver {
    /// What makes two uses of a template the same routine.
    struct Key: Hashable {
        let path: String
        let context: [Schema.Identity]
        let fillings: [String: Block.Identity]
        let isIndented: Bool
    }

    /// A use of one routine by another that goes into no model on the way.
    struct StandingCall: Hashable {
        let from: Int
        let to: Int
    }

    /// More routines than this come only from templates that multiply each other.
    static let routineLimit = 20_000

    /// More mistakes than this are not reported.
    static let errorLimit = 1000

    let language: OutputLanguage
    /// Finds and parses partials, and remembers them.
    var library: TemplateLibrary
    var code = Assembler()
    private(set) var errors: [TemplateError] = []
    private var seenErrors: Set<String> = []
    private var routines: [Key: Int] = [:]
    private var standingCalls: [StandingCall: TemplateError] = [:]
    private(set) var effort = ResolverEffort()
    /// Why nothing is resolved any more; nil while something is.
    var excess: TemplateError?

    init(library: TemplateLibrary, language: OutputLanguage) {
        self.library = library
        self.language = language
    }

    mutating func report(_ problem: TemplateProblem, at name: Name, in place: Surroundings) {
        guard errors.count < Resolver.errorLimit else { return }
        report(place.text.error(problem, at: name.offset))
    }

    /// Keeps a mistake once, however many contexts its template is used in.
    mutating func report(_ error: TemplateError) {
        guard errors.count < Resolver.errorLimit else { return }
        let diagnostic = error.diagnostic
        let place = diagnostic.location.map { "\($0) " } ?? ""
        if seenErrors.insert(place + diagnostic.summary).inserted { errors.append(error) }
    }

    /// Reports routines that call themselves with the same models for ever.
    mutating func reportStandingRecursion() {
        let cycles = CallCycles(standingCalls.keys.map { ($0.from, $0.to) })
        for (call, error) in standingCalls.sorted(by: { ($0.key.from, $0.key.to) < ($1.key.from, $1.key.to) })
        where cycles.contains(from: call.from, to: call.to) {
            report(error)
        }
    }

    /// Counts what takes as long as so many tags.
    mutating func count(_ tags: Int) { effort.tags += tags }

    /// Counts white space that is put before lines.
    mutating func count(indentation: String) { effort.indentation += indentation.utf8.count }

    /// Resolves what is within something else.
    mutating func goDeeper(_ body: (inout Resolver) -> Void) {
        effort.depth += 1
        body(&self)
        effort.depth -= 1
    }

    /// The routine of a template in a context; resolved when it is used for the first time.
    ///
    /// - Parameter caller: the tag that uses it.
    mutating func routine(
        _ template: ParsedTemplate, _ schemas: [Schema], fillings: [String: Filling] = [:],
        isIndented: Bool = false, from caller: Spot? = nil
    ) -> Int? {
        let key = Key(
            path: template.text.source.path, context: schemas.map(\.identity),
            fillings: fillings.mapValues(\.block.id), isIndented: isIndented)
        if let known = routines[key] { return known }
        template.errors.forEach { report($0) }
        guard template.errors.isEmpty else { return nil }
        guard routines.count < Resolver.routineLimit else {
            let caller = caller ?? Spot(text: template.text, offset: 0)
            let words = "Templates expand to more than \(Resolver.routineLimit) partials"
            report(caller.text.error(.expandsTooFar(words), at: caller.offset))
            return nil
        }
        let routine = code.reserveRoutine()
        routines[key] = routine
        let place = Surroundings(
            text: template.text, context: Context(schemas), fillings: fillings, isIndented: isIndented,
            routine: routine)
        var body = RoutineCode()
        if !schemas.isEmpty { body.use(slot: schemas.count - 1) }
        resolve(template.nodes, in: place, into: &body)
        code.finish(routine, body)
        return routine
    }

    /// Notes a call, to find recursion that goes nowhere.
    mutating func note(callOf routine: Int, at name: Name, in place: Surroundings, entersModel: Bool) {
        guard !entersModel, !place.context.hasAdvanced else { return }
        let call = StandingCall(from: place.routine, to: routine)
        if standingCalls[call] == nil {
            standingCalls[call] = place.text.error(.recursion(name.text), at: name.offset)
        }
    }
}

/// What a lookup gave, parsed.
enum ParsedLookup {
    case found(ParsedTemplate)
    case missing(lookedIn: [String])
    case unreadable(path: String, why: Diagnostic)
}

/// The addresses of assets: they are known when a template is loaded and become part of its text.
extension Resolver {
    /// Writes the address of `{{asset.…}}`; false when the name is that of a field.
    mutating func resolveAsset(
        _ name: Name, isRaw: Bool, in place: Surroundings, into body: inout RoutineCode
    ) -> Bool {
        guard let assets = library.assets, name.parts.first == "asset" else { return false }
        let asset = name.parts.dropFirst().joined(separator: ".")
        guard let address = assets.addresses[asset] else {
            let names = assets.addresses.keys.sorted()
            let problem = TemplateProblem.missingAsset(
                asset, nearest: nearestName(to: asset, among: names), available: Array(names.prefix(40)),
                lookedIn: assets.places(asset))
            report(problem, at: name, in: place)
            return true
        }
        if isRaw {
            report(.rawText(name.text), at: name, in: place)
            return true
        }
        var writer = ByteWriter()
        writer.append(address: address, escapedFor: language)
        body.append(literal: writer.text, to: &code.literals)
        return true
    }
}
