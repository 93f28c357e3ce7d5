import Markup

/// One run of a program; holds the frames of all routines that are running.
@safe struct Execution {
    /// How deep sections and partials may be nested while running.
    static let depthLimit = 500
    /// How many sections and partials one page may enter, and how often it may go through the body of a section.
    static let entryLimit = 10_000_000
    /// How many bytes one page may have.
    static let byteLimit = 64 << 20

    private let program: Program
    private let tables: ProgramTables
    private let language: OutputLanguage
    private var frames: [UnsafeRawPointer]
    private var base = 0
    private var depth = 0
    private var entries = 0
    private var indentation: [UInt8] = []
    private var indentationStart = 0
    /// The section that is being gone through, by its visitor.
    private var section: Int?
    private let limits: PageLimits
    /// What the page has too much of.
    private var excess: TemplateError?
    /// Whether there is an excess; from then on nothing more is gone through. The error itself is too large a value for
    /// a test before each step.
    private var isOver = false

    /// Runs the routine with the page at the pointer as its only frame.
    ///
    /// - Returns: why the page was given up; nil when it is whole.
    static func run(
        _ program: Program, routine: Int, page: UnsafeRawPointer, into writer: inout ByteWriter,
        limits: PageLimits = PageLimits()
    ) -> TemplateError? {
        let start = program.routines[routine]
        return program.withTables { tables in
            var execution = unsafe Execution(program: program, tables: tables, page: page, limits: limits)
            execution.reserve(start.slots)
            execution.run(start.range, &writer)
            return execution.excess
        }
    }

    private init(program: Program, tables: ProgramTables, page: UnsafeRawPointer, limits: PageLimits) {
        self.program = program
        self.tables = tables
        self.limits = limits
        language = program.language
        unsafe frames = unsafe [page]
    }

    /// Makes room for the slots of a routine.
    private mutating func reserve(_ slots: Int) {
        guard let filler = unsafe frames.first else { return }
        while unsafe frames.count < base + slots { unsafe frames.append(filler) }
    }

    private mutating func run(_ range: Range<Int>, _ writer: inout ByteWriter) {
        var next = range.lowerBound
        while next < range.upperBound {
            let instruction = unsafe tables.instructions[next]
            next &+= 1
            let index = Int(instruction.index)
            let length = Int(instruction.length)
            switch instruction.code {
            case .literal:
                let text = unsafe tables.literals[index..<index &+ length]
                unsafe writer.append(bytes: UnsafeBufferPointer(rebasing: text))
            case .write: unsafe tables.writers[index](frame(instruction), language, &writer)
            case .test:
                if unsafe !tables.tests[index](frame(instruction), language) { next &+= length }
            case .unless:
                if unsafe tables.tests[index](frame(instruction), language) { next &+= length }
            case .visit:
                visit(instruction, next..<next + length, &writer)
                next += length
            case .indentation: writer.append(bytes: indentation[indentationStart...])
            case .call: unsafe call(program.calls[index], shown: nil, &writer)
            case .show: unsafe show(program.shows[index], at: frame(instruction), &writer)
            }
        }
    }

    private func frame(_ instruction: Instruction) -> UnsafeRawPointer {
        unsafe frames[base + Int(instruction.slot)]
    }

    private mutating func visit(
        _ instruction: Instruction, _ body: Range<Int>, _ writer: inout ByteWriter
    ) {
        guard enter(&writer) else { return }
        let target = base + Int(instruction.target)
        let outer = section
        section = Int(instruction.index)
        let visitor = unsafe program.visitors[Int(instruction.index)]
        unsafe visitor(frame(instruction), language) { value in
            guard goesOn(writer.count) else { return }
            unsafe frames[target] = unsafe value
            run(body, &writer)
        }
        section = outer
        depth -= 1
    }

    /// Counts one step; false when the page has had enough.
    private mutating func goesOn(_ bytes: Int) -> Bool {
        entries += 1
        if !isOver, bytes <= limits.bytes, entries <= limits.entries { return true }
        stop(bytes)
        return false
    }

    /// Notes, the first time, what the page has too much of.
    private mutating func stop(_ bytes: Int) {
        guard !isOver else { return }
        isOver = true
        excess = error(
            bytes > limits.bytes
                ? "Page has more than \(limits.bytes) bytes"
                : "Page goes through sections and partials more than \(limits.entries) times")
    }

    /// The error at the innermost section that is being gone through.
    private func error(_ words: String) -> TemplateError {
        guard let section, section < program.spots.count else {
            return TemplateError(problem: .tooMuch(words), path: "", line: nil, column: nil)
        }
        let spot = program.spots[section]
        return spot.text.error(.tooMuch(words), at: spot.offset)
    }

    private mutating func show(_ show: Show, at pointer: UnsafeRawPointer, _ writer: inout ByteWriter) {
        unsafe show.shower(pointer) { number, name, value in
            if let number, show.calls.indices.contains(number) {
                unsafe call(show.calls[number], shown: value, &writer)
            } else {
                writer.append("(model \(name) is not declared)", escapedFor: language)
            }
        }
    }

    private mutating func call(_ call: Call, shown: UnsafeRawPointer?, _ writer: inout ByteWriter) {
        guard enter(&writer) else { return }
        let (outerBase, outerStart, outerEnd) = (base, indentationStart, indentation.count)
        let window = unsafe frames.count
        for slot in call.frames {
            let frame = unsafe slot < 0 ? shown : frames[outerBase + Int(slot)]
            if let frame = unsafe frame { unsafe frames.append(frame) }
        }
        base = window
        let routine = program.routines[call.routine]
        reserve(routine.slots)
        if !call.keepsIndentation { indentationStart = outerEnd }
        indentation += call.indentation
        run(routine.range, &writer)
        indentation.removeLast(indentation.count - outerEnd)
        (base, indentationStart) = (outerBase, outerStart)
        unsafe frames.removeLast(frames.count - window)
        depth -= 1
    }

    /// Goes one level deeper; says so in the page when that is too deep.
    ///
    /// Each time that happens costs many entries, so that partials that multiply each other come to an end.
    private mutating func enter(_ writer: inout ByteWriter) -> Bool {
        guard goesOn(writer.count) else { return false }
        guard depth < Execution.depthLimit else {
            entries += limits.entries / 1000
            writer.append("(nested too deeply)", escapedFor: language)
            return false
        }
        depth += 1
        return true
    }
}

/// What one page may take.
struct PageLimits: Sendable {
    /// How many bytes it may have.
    var bytes = Execution.byteLimit
    /// How many sections and partials it may enter, and how often it may go through the body of a section.
    var entries = Execution.entryLimit
}
