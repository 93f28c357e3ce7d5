/// Collects the instructions of one routine while it is resolved.
struct RoutineCode {
    private(set) var instructions: [Instruction] = []
    private(set) var slots = 0
    /// Before this instruction nothing may be merged, since a jump ends here.
    private var barrier = 0
    private var literalEnd = -1

    /// Makes sure that the frame has room.
    mutating func use(slot: Int) { slots = max(slots, slot + 1) }

    mutating func append(_ instruction: Instruction) { instructions.append(instruction) }

    /// Adds text to the last literal where that is possible.
    mutating func append(literal text: String, to literals: inout [UInt8]) {
        guard !text.isEmpty else { return }
        let start = literals.count
        literals += Array(text.utf8)
        let length = Int32(clamping: literals.count - start)
        if let last = instructions.indices.last, last >= barrier, instructions[last].code == .literal,
            literalEnd == start
        {
            instructions[last].length &+= length
        } else {
            append(Instruction(code: .literal, index: Int32(clamping: start), length: length))
        }
        literalEnd = literals.count
    }

    /// Adds an instruction that covers those that the closure adds.
    mutating func append(_ head: Instruction, around body: (inout RoutineCode) -> Void) {
        let index = instructions.count
        append(head)
        barrier = instructions.count
        body(&self)
        instructions[index].length = Int32(clamping: instructions.count - index - 1)
        barrier = instructions.count
    }
}

/// A place in a template; its line is counted when it is needed.
struct Spot {
    let text: SourceText
    let offset: Int
}

/// Puts routines together into one program.
@safe struct Assembler {
    private(set) var instructions: [Instruction] = []
    private(set) var routines: [Routine] = []
    var literals: [UInt8] = []
    private(set) var writers: [FieldWriter] = unsafe []
    private(set) var tests: [FieldTest] = unsafe []
    private(set) var visitors: [FieldVisitor] = unsafe []
    /// Where the section of each visitor is written.
    private(set) var spots: [Spot] = []
    private(set) var calls: [Call] = []
    private(set) var shows: [Show] = []

    mutating func add(_ writer: @escaping FieldWriter) -> Int32 { unsafe Self.add(writer, to: &writers) }
    mutating func add(_ test: @escaping FieldTest) -> Int32 { unsafe Self.add(test, to: &tests) }
    mutating func add(_ visitor: @escaping FieldVisitor, at spot: Spot) -> Int32 {
        spots.append(spot)
        return unsafe Self.add(visitor, to: &visitors)
    }
    mutating func add(_ call: Call) -> Int32 { Self.add(call, to: &calls) }
    mutating func add(_ show: Show) -> Int32 { Self.add(show, to: &shows) }

    /// Keeps a place for a routine, so that it can be called before it is finished.
    mutating func reserveRoutine() -> Int {
        routines.append(Routine(range: 0..<0, slots: 0))
        return routines.count - 1
    }

    mutating func finish(_ routine: Int, _ code: RoutineCode) {
        let start = instructions.count
        instructions += code.instructions
        routines[routine] = Routine(range: start..<instructions.count, slots: code.slots)
    }

    private static func add<Element>(_ element: Element, to table: inout [Element]) -> Int32 {
        table.append(element)
        return Int32(clamping: table.count - 1)
    }
}
